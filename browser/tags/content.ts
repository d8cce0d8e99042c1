import '../content.ts'
