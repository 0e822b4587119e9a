/** Defaults of authentication (T6–T9); ms unless said otherwise. */
export const authDefaults = {
  /** A token file is read again after this. */
  tokenFileFresh: 60_000,
  /** TLS files are looked at this often, and this soon after what cannot be used or a failed handshake. */
  tlsFilesFresh: 60_000,
  tlsFilesRetry: 5_000,
  /** A token that ends sooner is not sent any more; requests wait for the new one. */
  tokenMargin: 10_000,
  /** A renewed credential younger than this is used again by all who were refused. */
  shared: 5_000,
  /** Plugins run again, and headers are fetched again, this long before the credential ends; 60 s where no end is known. */
  renewBefore: 60_000,
  /** A plugin that runs longer is killed. */
  pluginLimit: 60_000,
  /** Characters of a failed plugin's stderr that are shown. */
  stderrKept: 512,
} as const;
