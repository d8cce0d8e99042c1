// The version of the program, as the documentation of its interface and the dashboard show it.
export const VERSION = '0.1.0'
