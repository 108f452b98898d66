import { setTimeout } from 'node:timers/promises';
import { type Database, MAX_VIOLATIONS_EACH, type Seal } from '@mediagate/database';
import { type AuditResult, type AuditRun, audit, auditRunFrom, keepResult, type Violation } from './audit';

/** Ledger entries, of which a task has two. Books of up to so many are audited whole each time, which takes a second or two. */
const WHOLE_UP_TO = 300_000n;
/** Entries that are looked at together: some seconds. */
const PIECE = 50_000n;
/** How long the audit waits for open transactions to end: statements of services take no longer. */
const WAIT_LIMIT_MS = 10_000;
const WAIT_STEP_MS = 50;
/** The share of the pause that must have passed: clocks of jobs are not exact. */
const PAUSE_SHARE = 0.9;

export interface ClockOptions {
  everyMs: number;
  wholeUpTo?: bigint;
  piece?: bigint | undefined;
}

/**
 * The audit by the clock, which one process makes for all. Long books are sealed on the way: what was looked at stands in sums, and from
 * then on only what was booked since is looked at, with every sum. Nothing at fault is sealed before it stands in a result.
 *
 * @returns the last that has ended, whichever process made it; undefined: the first is under way elsewhere.
 */
export async function auditByClock(database: Database, options: ClockOptions): Promise<AuditRun | undefined> {
  const { piece = PIECE } = options;
  const [claim] = await database.beginAuditByClock(options.everyMs * PAUSE_SHARE);
  if (claim) {
    // Read before the look, which thus sees every entry up to here, whatever is booked meanwhile.
    const { sealableTo } = await readSeal(database);
    const violations = await keepResult(database, claim, () => look(database, { ...options, piece }));
    // Entries with more faults than a result lists stay unsealed, and the next audit looks at all of them again.
    if (!hasMoreThanListed(violations)) await sealUpTo(database, sealableTo, piece);
  }
  return lastRun(database, { requestedAt: null });
}

function lastRun(database: Database, requested: { requestedAt: null | { not: null } }): Promise<AuditRun | undefined> {
  const where = { ...requested, endedAt: { not: null } };
  return database.auditRun
    .findFirst({ where, orderBy: { id: 'desc' } })
    .then((row) => (row === null ? undefined : auditRunFrom(row)));
}

async function look(
  database: Database,
  { wholeUpTo = WHOLE_UP_TO, piece }: ClockOptions & { piece: bigint },
): Promise<AuditResult> {
  const { newest } = await readSeal(database);
  const whole = newest <= wholeUpTo;
  return { violations: whole ? await audit(database) : await auditUnsealed(database, piece), whole };
}

/**
 * Looks piece by piece where much was booked since, as after an upgrade, and at the sums once one piece is left. It stops after a piece
 * with a fault that no audit has reported yet; faults reported before stand until they are looked at again.
 */
async function auditUnsealed(database: Database, piece: bigint): Promise<Violation[]> {
  const known = await knownViolations(database);
  const suspects = known.map(({ subject }) => subject);
  const isKnown = (violation: Violation) => known.some(isSame(violation));
  for (;;) {
    const { sealedTo, sealableTo, isShort } = await readUnsealed(database, piece);
    if (isShort) return database.auditRecent({ after: sealedTo, upTo: null, suspects });
    const upTo = least(sealableTo, sealedTo + piece);
    const found = await database.auditRecent({ after: sealedTo, upTo, suspects: [] });
    if (hasMoreThanListed(found) || !found.every(isKnown))
      return [...known.filter((one) => !found.some(isSame(one))), ...found];
    await database.sealEntries({ from: sealedTo, to: upTo });
  }
}

const isSame =
  ({ invariant, subject }: Violation) =>
  (other: Violation): boolean =>
    other.invariant === invariant && other.subject === subject;

/** The violations that the last two ended audits found: the clock's last, and the last that was asked for. */
async function knownViolations(database: Database): Promise<Violation[]> {
  const runs = [
    await lastRun(database, { requestedAt: null }),
    await lastRun(database, { requestedAt: { not: null } }),
  ];
  return runs.flatMap((run) => run?.violations ?? []);
}

interface Unsealed extends Seal {
  /** One piece at most is unsealed. */
  isShort: boolean;
}

/** Waits until a part can be sealed, unless one piece at most is left. @throws Error after 10 s: a transaction stays open. */
async function readUnsealed(database: Database, piece: bigint): Promise<Unsealed> {
  for (let waitedMs = 0; waitedMs < WAIT_LIMIT_MS; waitedMs += WAIT_STEP_MS) {
    const seal = await readSeal(database);
    const isShort = seal.newest - seal.sealedTo <= piece;
    if (isShort || seal.sealableTo > seal.sealedTo) return { ...seal, isShort };
    await noteNextSeal(database, seal);
    await setTimeout(WAIT_STEP_MS);
  }
  throw new Error('a transaction that stays open keeps the books from being sealed');
}

/** Seals nothing; once all that could be sealed is, the statement notes up to where the next time may go. */
async function noteNextSeal(database: Database, { sealedTo }: Seal): Promise<void> {
  await database.sealEntries({ from: sealedTo, to: sealedTo });
}

/** Seals up to `bound`, and notes up to where the next time may go. */
async function sealUpTo(database: Database, bound: bigint, piece: bigint): Promise<void> {
  for (;;) {
    const { sealedTo } = await readSeal(database);
    const to = sealedTo < bound ? least(bound, sealedTo + piece) : sealedTo;
    const moved = await database.sealEntries({ from: sealedTo, to });
    if (to >= bound || moved.length === 0) return;
  }
}

async function readSeal(database: Database): Promise<Seal> {
  const [seal] = await database.readSeal();
  if (!seal) throw new Error('the row of ledger_seal is missing');
  return seal;
}

function hasMoreThanListed(violations: readonly Violation[]): boolean {
  const counts = new Map<string, number>();
  for (const { invariant } of violations) counts.set(invariant, (counts.get(invariant) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= MAX_VIOLATIONS_EACH);
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
