// The version of the program, as the API documentation and the dashboard show it.
export const VERSION = '0.1.0'
