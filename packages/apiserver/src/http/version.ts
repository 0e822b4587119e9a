/** What `/version` says: the release whose behaviour is emulated, marked as embedded (DE-1, HO-1). */
export const VERSION: Readonly<Record<string, string>> = {
  major: '1',
  minor: '37',
  gitVersion: 'v1.37.2+embedded',
  gitCommit: 'embedded',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
