/** Makes the environment of a client. Of the caller's, it keeps only the search path and the trusted certificates. */
export function toEnvironment(
  { PATH = '', SSL_CERT_FILE, SSL_CERT_DIR }: Readonly<Record<string, string | undefined>>,
  home: string,
  gate: string,
): Record<string, string> {
  return {
    PATH,
    LC_ALL: 'C.UTF-8',
    HOME: home,
    TMPDIR: home,
    XDG_RUNTIME_DIR: home,
    http_proxy: gate,
    https_proxy: gate,
    HTTP_PROXY: gate,
    HTTPS_PROXY: gate,
    ...(SSL_CERT_FILE === undefined ? {} : { SSL_CERT_FILE }),
    ...(SSL_CERT_DIR === undefined ? {} : { SSL_CERT_DIR }),
  };
}
