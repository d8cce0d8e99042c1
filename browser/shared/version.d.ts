// The version of all libraries, in X-SVC-LIB and in error reports. From 1.1.0 on page and title headers are
// URI-encoded.

/**
 * From package.json, inlined by the build (tools/build-browser.mjs), where it merges with the texts around
 * it.
 */
declare const LIBRARY_VERSION: string
