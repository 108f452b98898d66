import { DELIVERY_STATES, FAMILIES } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyObject, anyWord, boolean, integer, listOf, number, object, ref, string } from './build';
import { amount, orNull, text, time, timeOrNull } from './operator-parts';
import { recordFields } from './task-record';

const resolution = orNull(
  anyWord(['paid', 'not_paid'], 'What an operator learned: whether the vendor charges for it. Null: nobody has said.'),
);

const cost = orNull(amount('What the vendor charges, where that is known'));

const attempt = object({
  id: string(),
  number: integer('Number of the attempt, from 1.'),
  channel: string(),
  protocol: string(),
  state: anyWord(['starting', 'accepted', 'succeeded', 'refused', 'unknown']),
  external_id: text,
  fault: orNull(
    string(
      'Why it ended without a result; while it goes on, why the last check found nothing out, and null after a good one.',
    ),
  ),
  detail: text,
  request_ids: listOf(string(), 'Ids by which the vendor knows the calls.'),
  usage: orNull(anyObject()),
  answer: orNull(
    string(
      'What the vendor answered last, without keys, the caller’s texts, links and tokens: up to 2,000 characters.',
    ),
  ),
  resolution,
  cost,
  cost_origin: orNull(
    anyWord(
      ['declared', 'reported', 'resolved'],
      'Who says so: the channel’s configuration, the vendor, or an operator. Null: nobody, as of what was refused.',
    ),
  ),
  started_at: time('When it began.'),
  ended_at: timeOrNull('When it ended.'),
});

const event = object({
  at: time('Time of the event.'),
  event: anyWord([
    'task.submitted',
    'task.started',
    'task.completed',
    'task.failed',
    'ledger.hold',
    'ledger.settle',
    'ledger.refund',
    'attempt.began',
    'attempt.ended',
    'callback.due',
    'callback.sent',
    'callback.answered',
    'callback.ended',
  ]),
  'channel?': string(),
  'number?': integer('Number of the attempt, or of the callback’s request.'),
  'outcome?': string('How the attempt or request ended: a state, a fault, or a status such as `http_500`.'),
  'amount?': amount('Amount of the ledger entry'),
});

const requests = listOf(
  object({
    number: integer('Number of the attempt, from 1.'),
    started_at: time('When it was sent.'),
    ended_at: timeOrNull('When it ended; null: it is under way, or its outcome was lost.'),
    status: orNull(integer()),
    error: text,
  }),
);

/** Operators are not shown a task's result: it belongs to the account. */
const { 'result?': _result, ...shownFields } = recordFields;
const foundFields = { ...shownFields, account_id: string(), key_id: string(), family: string(), request_id: text };

const historyFields = {
  failed_steps: integer('Failed steps that count against the task.'),
  next_step_at: time('When a worker is wanted next.'),
  lease_until: timeOrNull('Time until which a worker holds it.'),
  deadline_at: time('When it fails unless it has ended.'),
  reservation: orNull(
    object({
      state: anyWord(['held', 'settled', 'refunded']),
      amount: amount('What was held'),
      settled: orNull(amount('What was charged')),
      expires_at: time('When it is given back at the latest.'),
      resolved_at: timeOrNull('When it was settled or refunded.'),
    }),
  ),
  ledger: listOf(ref('LedgerEntry'), 'The entries, as `GET /v1/ledger` lists them.'),
  attempts: listOf(attempt),
  delivery: orNull(
    object({
      id: string(),
      url: string(),
      state: string(),
      reason: text,
      created: time('When the task ended.'),
      ended_at: timeOrNull('When it was delivered or given up.'),
      attempts: requests,
    }),
  ),
  timeline: listOf(event, 'All of it in the order of time.'),
};

const dueSeconds = orNull(number('How long the oldest has been due that nobody is at; null: there is none.'));

const jobs = (also: string) =>
  orNull(
    object(
      {
        waiting: integer('Jobs that no worker has taken yet.'),
        starts: integer(
          'Of them, those of tasks that nobody has begun: at most `DISPATCH_WINDOW`, and what came at once.',
        ),
        active: integer('Jobs that workers have taken.'),
        delayed: integer('Jobs for later: the next check of an accepted job, the next attempt of a callback.'),
        paused: boolean('Somebody has paused the queue.'),
        workers: orNull(integer('Processes that take them; null: this Redis does not list its connections.')),
      },
      `What Redis has of it${also}.`,
    ),
  );

const familyQueue = object({
  family: anyWord(FAMILIES),
  has_queue: boolean('False: the API does the work itself.'),
  waiting: integer('Tasks that nobody has begun.'),
  running: integer('Tasks that have begun and have not ended.'),
  awaiting_slot: integer('Tasks for which their key, or every channel of their model, has no slot.'),
  oldest_seconds: dueSeconds,
  next_due_at: timeOrNull('When the next step of a running task is due.'),
  submitted: integer('Tasks taken in within `recent_seconds`.'),
  ended: integer('Tasks completed or failed within `recent_seconds`.'),
  jobs: jobs('; null: the family has no queue, or Redis does not answer'),
});

const setting = object({
  name: string('A variable, or a field of the file as `webhooks.timeout_seconds`.'),
  about: string(),
  value: {
    description: 'References to variables are shown as they are written; null: there is none, or it is a secret.',
  },
  secret: boolean(),
  is_set: boolean(
    'There is a value; of a secret, in the environment of the answering process, which need not have every key.',
  ),
  origin: anyWord(['default', 'environment', 'file', 'database']),
});
/** Channels, prices, tasks and callbacks as operators see them: with milliseconds, on which support cases turn. */
export const OPERATOR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  FoundTask: object(foundFields),
  TaskHistory: object({ ...foundFields, ...historyFields }),
  QuarantinedAttempt: object({
    id: string(),
    task_id: string(),
    account_id: string(),
    family: string(),
    model: string(),
    channel: string(),
    protocol: string(),
    test: boolean('The task was made with a test key: nothing was charged, and no vendor was called.'),
    external_id: orNull(string('The vendor’s id of the job.')),
    fault: text,
    detail: text,
    request_ids: listOf(string()),
    usage: orNull(anyObject()),
    cost,
    refunded: amount('What the account got back'),
    started_at: time('When it began.'),
    ended_at: timeOrNull('When it was given up.'),
    resolution,
    resolved_at: timeOrNull('When that was said.'),
  }),
  OperatorDelivery: object({
    id: string(),
    task_id: string(),
    account_id: string(),
    url: string(),
    state: anyWord(DELIVERY_STATES),
    reason: text,
    created: time('When the task ended.'),
    next_attempt_at: timeOrNull('Time at which it is due.'),
    ended_at: timeOrNull('When it was delivered or given up.'),
    attempts: requests,
  }),
  Queues: object({
    families: listOf(familyQueue),
    accounts: listOf(
      object({
        account_id: string(),
        waiting: integer('Tasks that nobody has begun.'),
        running: integer('Tasks that have begun and have not ended.'),
      }),
    ),
    callbacks: object({
      pending: integer('Callbacks that have not ended.'),
      due: integer('Callbacks that could be sent now and that no process is sending.'),
      oldest_seconds: dueSeconds,
      next_due_at: timeOrNull('When the next one is due.'),
      jobs: jobs('; null: Redis does not answer'),
    }),
    recent_seconds: number(
      'How far back `submitted` and `ended` count: 300, or less where the last 10,000 bookings took less.',
    ),
    redis_answers: boolean('False: only the rows are known.'),
  }),
  Settings: object({
    service: string('The service that answers.'),
    config: object({ path: string(), digest: string('The beginning of the SHA-256 of the file as it was read last.') }),
    settings: listOf(setting),
    channels: listOf(object({ id: string(), settings: listOf(setting) })),
  }),
  Price: object({
    key: string('The billing key, as in `prices` of the configuration file.'),
    model: string(),
    unit: string('`per_task`: of a whole task.'),
    price: amount('Price of one unit'),
    origin: anyWord(['catalogue', 'file', 'override'], 'Where the price comes from.'),
    changes_at: timeOrNull('When the next price takes effect; null: none is set.'),
  }),
  PriceOverride: object({
    id: string(),
    key: string('The billing key.'),
    price: {
      anyOf: [
        number('Price of a whole task.'),
        { type: 'object', additionalProperties: { type: 'number' }, description: 'Price by unit.' },
        { type: 'null', description: 'Given back: as the file says (`file` when it was set).' },
      ],
    },
    effective_at: time('Time from which it applies.'),
    set_by: string(),
    reason: text,
    created: time('When it was set.'),
  }),
};
