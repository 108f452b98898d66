import { createHash, randomBytes } from 'node:crypto';

export interface Session {
  user: string;
}

/** Who is logged in. Kept by this process alone: a restart logs everybody out, and a logout counts at once. */
export interface Sessions {
  /** The token goes into the cookie; only its hash is kept. */
  open(user: string): string;
  /** Undefined once the session is closed, has idled too long or is too old; else it idles anew. */
  find(token: string): Session | undefined;
  close(token: string): void;
}

export interface SessionOptions {
  idleMs?: number;
  maxAgeMs?: number;
  maxSessions?: number;
  now?(): number;
}

const MINUTE_MS = 60_000;
const IDLE_MS = 30 * MINUTE_MS;
export const SESSION_MAX_AGE_MS = 12 * 60 * MINUTE_MS;
/** The oldest is closed for the next one. */
const MAX_SESSIONS = 100;
const TOKEN_BYTES = 32;

interface Kept extends Session {
  openedAt: number;
  seenAt: number;
}

/** Times are in milliseconds. The clock is monotonic, so that setting the machine's time revives nothing. */
export function createSessions({
  idleMs = IDLE_MS,
  maxAgeMs = SESSION_MAX_AGE_MS,
  maxSessions = MAX_SESSIONS,
  now = () => performance.now(),
}: SessionOptions = {}): Sessions {
  /** In the order in which they were opened. */
  const kept = new Map<string, Kept>();
  return {
    open(user) {
      const oldest = kept.keys().next();
      if (kept.size >= maxSessions && !oldest.done) kept.delete(oldest.value);
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      kept.set(hash(token), { user, openedAt: now(), seenAt: now() });
      return token;
    },
    find(token) {
      const id = hash(token);
      const session = kept.get(id);
      if (session === undefined) return undefined;
      if (now() - session.openedAt >= maxAgeMs || now() - session.seenAt >= idleMs) {
        kept.delete(id);
        return undefined;
      }
      session.seenAt = now();
      return { user: session.user };
    },
    close: (token) => void kept.delete(hash(token)),
  };
}

/** Looking a hash up takes the same time whatever a guessed token begins with. */
function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
