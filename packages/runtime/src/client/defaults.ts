/** Defaults of the client (L1, L11, L19); ms unless said otherwise. */
export const clientDefaults = {
  /** A kind that is not served is remembered as such. */
  missRemembered: 10_000,
  /** Characters of a field manager's name, as the server takes them. */
  fieldManagerLength: 128,
  /** Live lists of a kind within {@link liveListWindow} that give a hint (count). */
  liveLists: 100,
  liveListWindow: 600_000,
} as const;
