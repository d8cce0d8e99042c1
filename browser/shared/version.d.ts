// The one version of the libraries, as X-SVC-LIB and reports of errors name it. From 1.1.0 up page and title headers are URI-encoded.

/** That of package.json, put in by the build (tools/build-browser.mjs) as a text: it then melts into the texts around it. */
declare const LIBRARY_VERSION: string
