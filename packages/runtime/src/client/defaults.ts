/** Defaults of the client (L1, L11, L19); ms unless said otherwise. */
export const clientDefaults = {
  /** A kind that is not served is remembered as such. */
  missRemembered: 10_000,
  /** Characters of a field manager's name, as the server takes them. */
  fieldManagerLength: 128,
  /** Live lists of a kind within {@link liveListWindow} that give a hint (count). */
  liveLists: 100,
  liveListWindow: 600_000,
  /** Attempts of createOrUpdate, createOrPatch and edit (count), and what edit waits before each further one. */
  editAttempts: 5,
  editWaits: [10, 20, 40, 80],
  /** Writes of the same paths of a key within {@link fightWindow} that give a warning (count); keys remembered (count). */
  fightWrites: 3,
  fightWindow: 60_000,
  fightsRemembered: 1_000,
  /** Objects whose last apply is remembered (count). */
  appliedRemembered: 10_000,
  /** Life of a token of a service account, and the shortest the server takes; seconds. */
  tokenSeconds: 3_600,
  tokenSecondsMin: 600,
} as const;
