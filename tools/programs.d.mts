export declare function findProgram(program: string): string | undefined
