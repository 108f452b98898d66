import {
  type Family,
  type JsonObject,
  type ListenerAddress,
  type Message,
  message,
  type Nano,
  readMessage,
  type TaskId,
  type TaskKind,
} from '@mediagate/contracts';
import type { SubmitRow, TaskToSubmit } from '@mediagate/database';

/** A checked and priced job on its way into the books. */
export interface Submission extends TaskToSubmit {
  family: Family;
  kind: TaskKind;
  model: string;
  operation: string;
  input: JsonObject;
  /** Nano-units by unit name, as they stand now; settlement uses these, never a later price. */
  rates: Readonly<Record<string, Nano>>;
  catalogueVersion: number;
  warnings: readonly Message[];
  webhook?: string | undefined;
  language?: string | undefined;
  parentTaskId?: string | undefined;
  /** The task continues its parent, which waits for that: refused if the parent has ended, or another task continued it first. */
  continuesParent?: true | undefined;
  requestId: string;
  /** The trace that it belongs to, as its row keeps it. */
  traceContext?: string | undefined;
  /** The caller's own words: kept with the task, shown to the caller and to nobody else. */
  metadata?: JsonObject | undefined;
  /** The task fails unless an attempt has begun so long after submission. */
  expiresInSeconds?: number | undefined;
  /** The task ends, by refund if need be, this long after its first attempt began, with `expiresInSeconds`; else after submission. */
  deadlineMs: number;
  /**
   * The submitter does the work at once and ends the task, and keeps a lease of so long on it meanwhile. When the lease lapses, the
   * reconciler ends the task with a refund.
   */
  runsHere?: { leaseMs: number };
  /** Where the task's worker brings the answer; absent: nobody waits for it. */
  listener?: ListenerAddress | undefined;
  /** Enough to be held where account and key have less than `reservedNano`; what they have is held then. */
  leastNano?: Nano;
  /** With `leastNano`: what is held tells nothing of the account's balance, which the caller does not see. */
  holdsByHalves?: true | undefined;
  /** The caller waits for the answer, so nothing is written while the key runs as many tasks of the family as it may. */
  waitsForSlot?: true;
  /** Nobody waits for the answer: the task awaits a slot in its row while the key runs as many tasks of the family as it may. */
  queuesForSlot?: true | undefined;
}

/** The account or key with too little money, as the statement that found it out saw it. */
export interface Shortage {
  of: 'account' | 'key';
  availableNano: Nano;
  /** Held by tasks that have not ended. */
  heldNano: Nano;
}

export type SubmitOutcome =
  /** `heldNano`: for a submission with `leastNano`. `awaitsSlot`: the task is enqueued once it has a slot of its key. */
  | { kind: 'accepted'; heldNano?: Nano; awaitsSlot?: true }
  /** The same key and body were accepted before, as this task. */
  | { kind: 'replayed'; taskId: TaskId; warnings: readonly Message[] }
  /** The same key came before with another body. */
  | { kind: 'conflict' }
  | ({ kind: 'insufficient' } & Shortage)
  /** Its parent does not wait any more. */
  | { kind: 'continued' }
  /** The key runs as many tasks of the family as it may; nothing was written. */
  | { kind: 'no_slot' }
  /** Its account takes no work. */
  | { kind: 'account_suspended' | 'account_closed' }
  /** The key was revoked or removed since it was authenticated. */
  | { kind: 'key_unknown' };

/** `undecided`: the money goes to earlier submissions of the statement, so that the next statement decides. */
export type Decided = SubmitOutcome | { kind: 'undecided' };

/** The columns that the statement only carries through; nano-units travel as texts because JSON numbers are floats. */
export function taskFields(item: Submission): string {
  const { family, kind, model, operation, input, catalogueVersion, warnings, requestId, deadlineMs } = item;
  const { webhook, language, parentTaskId, continuesParent, runsHere, metadata, expiresInSeconds } = item;
  const { listener, waitsForSlot, queuesForSlot, traceContext, leastNano, holdsByHalves } = item;
  const rates = asTexts(item.rates);
  return JSON.stringify({
    family,
    kind,
    model,
    operation,
    input,
    rates,
    catalogueVersion,
    warnings: warnings.map(storeWarning),
    requestId,
    // The attempt that begins takes off what is left of the time to begin.
    deadlineMs: deadlineMs + (expiresInSeconds ?? 0) * 1000,
    webhook,
    language,
    parentTaskId,
    continuesParent,
    waitsForSlot,
    queuesForSlot,
    metadata,
    expiresInSeconds,
    traceContext,
    listener,
    leastNano: leastNano?.toString(),
    holdsByHalves,
    ...(runsHere && { runsHere: true, leaseMs: runsHere.leaseMs }),
  });
}

/** Every submission of a model carries the same rates, one object until the prices change. */
const textsOfRates = new WeakMap<Submission['rates'], Record<string, string>>();

function asTexts(rates: Submission['rates']): Record<string, string> {
  const known = textsOfRates.get(rates);
  if (known) return known;
  const texts = Object.fromEntries(Object.entries(rates).map(([unit, nano]) => [unit, nano.toString()]));
  textsOfRates.set(rates, texts);
  return texts;
}

export function toDecided(row: SubmitRow, item: Submission | undefined): Decided {
  switch (row.decision) {
    case 'awaits_slot':
      return { kind: 'accepted', awaitsSlot: true };
    case 'accepted':
      return item?.leastNano === undefined
        ? { kind: 'accepted' }
        : { kind: 'accepted', heldNano: known(row.held_nano) };
    case 'conflict':
    case 'key_unknown':
    case 'account_suspended':
    case 'account_closed':
    case 'continued':
    case 'no_slot':
    case 'undecided':
      return { kind: row.decision };
    case 'insufficient_account':
      return { kind: 'insufficient', ...shortageOf('account', row) };
    case 'insufficient_key':
      return { kind: 'insufficient', ...shortageOf('key', row) };
    case 'replayed':
      return {
        kind: 'replayed',
        taskId: row.earlier_task_id as TaskId,
        warnings: (row.earlier_warnings ?? []).map(readWarning),
      };
    default:
      return row.decision satisfies never;
  }
}

function shortageOf(of: Shortage['of'], { available_nano: availableNano, held_nano: heldNano }: SubmitRow): Shortage {
  return { of, availableNano: known(availableNano), heldNano: known(heldNano) };
}

function known(figure: Nano | null): Nano {
  if (figure === null) throw new Error('a booking was decided without its figures');
  return figure;
}

/** A task's warning as its row keeps it: data, so that a repeated submission gets it in its own caller's language. */
function storeWarning(warning: Message): string {
  return JSON.stringify(warning);
}

/** English text of earlier releases, and messages that only a later one knows, are shown as they are stored. */
export function readWarning(stored: string): Message {
  return readMessage(parsed(stored)) ?? message('foreign', { text: stored });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
