const PREFIX = /^[a-z0-9][a-z0-9-]{0,31}$/i;
/** First words of the paths that the API has anyway. */
const TAKEN = new Set(['v1', 'v1beta', 'balance', 'user', 'models', 'docs']);

/** The first word of the legacy paths, as configured. Throws when no path can begin with it. */
export function checkLegacyPrefix(prefix: string): string {
  if (PREFIX.test(prefix) && !TAKEN.has(prefix.toLowerCase())) return prefix;
  throw new Error(
    `IMGTOOL_LEGACY_PREFIX must be up to 32 letters, digits and hyphens, and none of ${[...TAKEN].join(', ')}`,
  );
}
