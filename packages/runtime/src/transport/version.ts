/** Version of this package, for the User-Agent header; kept equal to package.json by a test. */
export const runtimeVersion = '0.1.0';
