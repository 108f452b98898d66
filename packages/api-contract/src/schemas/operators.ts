import { FAMILIES } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyObject, anyWord, boolean, integer, listOf, number, object, ref, string } from './build';
import { recordFields } from './task-record';

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const text = orNull(string());
const time = (description: string): JsonSchema =>
  number(`${description.replace(/\.$/, '')}, in Unix seconds with milliseconds.`);
const timeOrNull = (description: string): JsonSchema => orNull(time(description));
const amount = (description: string): JsonSchema => number(`${description}, in currency units.`);

const resolution = orNull(
  anyWord(['paid', 'not_paid'], 'What an operator learned: whether the vendor charges for it. Null: nobody has said.'),
);

const cost = orNull(amount('What the vendor charges, where that is known'));

const attempt = object({
  id: string(),
  number: integer('From 1.'),
  channel: string(),
  protocol: string(),
  state: anyWord(['starting', 'accepted', 'succeeded', 'refused', 'unknown']),
  external_id: text,
  fault: text,
  detail: text,
  request_ids: listOf(string(), 'By which the vendor knows the calls.'),
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
  at: time('When.'),
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
  'number?': integer('Of the attempt, or of the request of the callback.'),
  'outcome?': string('How it ended: a state, a fault, or a status as `http_500`.'),
  'amount?': amount('Of the ledger entry'),
});

const requests = listOf(
  object({
    number: integer('From 1.'),
    started_at: time('When it was sent.'),
    ended_at: timeOrNull('When it ended; null: it is under way, or its outcome was lost.'),
    status: orNull(integer()),
    error: text,
  }),
);

const foundFields = { ...recordFields, account_id: string(), key_id: string(), family: string(), request_id: text };

const historyFields = {
  failed_steps: integer('That count against the task.'),
  next_step_at: time('When a worker is wanted next.'),
  lease_until: timeOrNull('Until when a worker holds it.'),
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
  ledger: listOf(ref('LedgerEntry'), 'As `GET /v1/ledger` lists it.'),
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
        waiting: integer('That no worker has taken yet.'),
        starts: integer(
          'Of them, those of tasks that nobody has begun: at most `DISPATCH_WINDOW`, and what came at once.',
        ),
        active: integer('That workers have taken.'),
        delayed: integer('For later: the next look at an accepted job, the next try of a callback.'),
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

/** What operators see of channels, prices, tasks and callbacks. Support cases turn on milliseconds. */
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
    test: boolean('Of a test key: nothing was charged, and no vendor was asked.'),
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
    state: anyWord(['pending', 'delivered', 'rejected', 'exhausted', 'dropped']),
    reason: text,
    created: time('When the task ended.'),
    next_attempt_at: timeOrNull('When it is due.'),
    ended_at: timeOrNull('When it was delivered or given up.'),
    attempts: requests,
  }),
  Channel: object({
    id: string(),
    protocol: orNull(string('Null: the file has the channel no more.')),
    test: boolean('It serves test keys alone.'),
    models: listOf(string()),
    retirements: listOf(
      object({
        model: string(),
        upstream_model: string('The vendor’s name of it.'),
        served_until: string('The day, in UTC, at whose beginning the vendor ends it.'),
        replaced_by: orNull(string('The vendor’s name of what follows it.')),
        days_left: integer('0 on the day itself, less after it.'),
        stage: anyWord(['served', 'ending', 'ended'], '`ending`: within 60 days.'),
      }),
      'Of the models, those whose vendor has announced their end, by `served_until` of the configuration file.',
    ),
    state: anyWord(
      ['enabled', 'draining', 'disabled', 'removed'],
      'What it does now; `removed`: the file has it no more.',
    ),
    weight: orNull(integer('What counts now.')),
    priority: orNull(integer()),
    max_concurrency: orNull(integer()),
    file: orNull(object({ state: string(), weight: integer() }, 'What the file says.')),
    override: orNull(
      object(
        {
          state: orNull(string('Null: as the file says.')),
          weight: orNull(integer('Null: as the file says.')),
          set_by: string(),
          set_at: time('When.'),
          reason: text,
        },
        'What operators have set over it.',
      ),
    ),
    breaker: object(
      { open_in: integer('Processes that pass it over now.'), since: timeOrNull('Since when the first of them does.') },
      'Open: it keeps failing, and is passed over but for probes.',
    ),
    open_jobs: integer('Under way there.'),
    recent: object(
      {
        attempts: integer(),
        succeeded: integer(),
        refused: integer(),
        unknown: integer('Whose outcome nobody knows.'),
        median_ms: orNull(integer('From beginning to end, of those that succeeded.')),
        p95_ms: orNull(integer()),
        faults: {
          type: 'object',
          additionalProperties: { type: 'integer' },
          description: 'Attempts by what ended them.',
        },
        charged: amount('What accounts were charged for the tasks that it completed'),
        spend: amount('What the vendor charges for the attempts that have ended, as far as that is known'),
        cost_unknown: integer('Of these attempts: of whose cost nothing is known.'),
        margin: orNull(amount('`charged` less `spend`; null: the cost of some is not known')),
      },
      'Of attempts that began in the time asked for; of more than 200,000 the newest.',
    ),
  }),
  Queues: object({
    families: listOf(familyQueue),
    callbacks: object({
      pending: integer('That have not ended.'),
      due: integer('That could be sent now, and nobody is at them.'),
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
    service: string('Which process answers.'),
    config: object({ path: string(), digest: string('The beginning of the SHA-256 of the file as it was read last.') }),
    settings: listOf(setting),
    channels: listOf(object({ id: string(), settings: listOf(setting) })),
  }),
  Price: object({
    key: string('The billing key, as in `prices` of the configuration file.'),
    model: string(),
    unit: string('`per_task`: of a whole task.'),
    price: amount('Of one unit'),
    origin: anyWord(['catalogue', 'file', 'override'], 'Who says so.'),
    changes_at: timeOrNull('When the next price takes effect; null: none is set.'),
  }),
  PriceOverride: object({
    id: string(),
    key: string('The billing key.'),
    price: {
      anyOf: [
        number('Of a whole task.'),
        { type: 'object', additionalProperties: { type: 'number' }, description: 'By unit.' },
        { type: 'null', description: 'Given back: as the file says (`file` when it was set).' },
      ],
    },
    effective_at: time('From when it counts.'),
    set_by: string(),
    reason: text,
    created: time('When it was set.'),
  }),
};
