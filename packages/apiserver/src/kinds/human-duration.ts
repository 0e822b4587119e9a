/** `5m`, `3h20m`, `41d`: how long ago, in the few words of kubectl. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', [seconds % 60, 's']);
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', [minutes % 60, 'm']);
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return pair(days, 'd', [hours % 24, 'h']);
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? pair(years, 'y', [days % 365, 'd']) : `${years}y`;
}

const pair = (major: number, unit: string, [minor, small]: readonly [number, string]): string =>
  `${major}${unit}${minor ? `${minor}${small}` : ''}`;

/** Age of a timestamp at `now`; `<unknown>` without one. */
export function humanAge(timestamp: string | null | undefined, now: number): string {
  return timestamp ? humanDuration(now - Date.parse(timestamp)) : '<unknown>';
}
