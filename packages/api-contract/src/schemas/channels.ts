import type { JsonSchema } from '../operation';
import { anyObject, anyWord, boolean, integer, listOf, number, object, string } from './build';
import { amount, orNull, text, time, timeOrNull } from './operator-parts';

const scheduled = listOf(
  object({
    field: string(),
    value: { description: 'Null: as the file says.' },
    effective_at: time('Time from which it applies.'),
    set_by: string(),
    reason: text,
  }),
  'What is set for later.',
);

const figures = {
  attempts: integer(),
  succeeded: integer(),
  refused: integer(),
  unknown: integer('Attempts with an unknown outcome.'),
  median_ms: orNull(integer('Median duration of the attempts that succeeded.')),
  p95_ms: orNull(integer()),
  faults: {
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Attempts by what ended them.',
  },
} as const;

const fault = orNull(string('The fault for which the first of them does so, as `recent.faults` names it.'));

const sampled = boolean('There were more attempts: these are the newest of each part.');

/** Channels and what else operators set over the configuration file. */
export const CHANNEL_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Channel: object({
    id: string(),
    protocol: orNull(string('Null: neither the file nor an operator has the channel any more.')),
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
      'Of the models, those whose vendor has announced their end, by `served_until` of its `models`.',
    ),
    state: anyWord(
      ['enabled', 'draining', 'disabled', 'removed'],
      'What it does now; `removed`: neither the file nor an operator has it any more.',
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
          fields: anyObject('All that they have set, as the file would have it.'),
          set_by: string('The latest of it.'),
          set_at: time('Time of the change.'),
          reason: text,
        },
        'What operators have set over it.',
      ),
    ),
    scheduled,
    settings: anyObject('Every field as it counts now, in the words of the file; what is not here has its default.'),
    faults: listOf(
      object({ field: string(), message: string() }),
      'Why it takes no tasks, whatever its state: what is set over the file does not fit it any more.',
    ),
    breaker: object(
      {
        open_in: integer('Processes that pass it over now.'),
        since: timeOrNull('Time from which the first of them does so.'),
        fault,
        models: listOf(
          object({
            model: string('Its id.'),
            open_in: integer('Processes that pass the channel over for it alone.'),
            since: time('Time from which the first of them does so.'),
            fault,
          }),
          'Models whose name, or what the channel says of them, the vendor keeps refusing; its other models go on.',
        ),
      },
      'Open: it keeps failing, and is passed over but for probes.',
    ),
    unlisted: listOf(
      string(),
      'Names of its `models` at the vendor that the vendor’s own list did not have when it was last compared, once a day.',
    ),
    open_jobs: integer('Number of jobs under way there.'),
    recent: object(
      {
        ...figures,
        last_succeeded_at: timeOrNull('When the last success ended; null: there is none.'),
        charged: amount('What accounts were charged for the tasks that it completed'),
        spend: amount('What the vendor charges for the attempts that have ended, as far as that is known'),
        cost_unknown: integer('Number of these attempts with an unknown cost.'),
        margin: orNull(amount('`charged` less `spend`; null: the cost of some is not known')),
      },
      'From the attempts that began in the time asked for; if there are more than 200,000, from the newest.',
    ),
  }),
  ChannelHistory: object({
    from: time('Beginning of the first part.'),
    part_seconds: number('The length of a part.'),
    parts: listOf(
      object({
        from: time('Beginning of the part.'),
        ...figures,
        sampled,
      }),
      'In the order of time, without those in which no attempt began.',
    ),
    models: listOf(
      object({ model: string(), ...figures, sampled }),
      'Sums of all parts for each model, the most used model first.',
    ),
  }),
  ProbedChannel: object({
    reachable: orNull(boolean('It answered; null: it was not asked.')),
    key: anyWord(
      ['taken', 'refused', 'unproved', 'absent'],
      '`unproved`: the answer shows nothing of it. `absent`: the answering process does not have it, and asked nobody.',
    ),
    detail: string('What was answered, or why nobody was asked.'),
    upstream_models: orNull(
      listOf(
        object({
          name: string('The vendor’s name.'),
          known: boolean('The vendor lists it.'),
          served_until: orNull(string('The day on which the vendor ends it, by its list.')),
        }),
        'The models that the channel maps; null: the vendor shows no list.',
      ),
    ),
    balance: orNull(string('In the vendor’s own credits; null: it does not say.')),
    took_ms: integer('How long the answer took.'),
  }),
  CallbackSchedule: object({
    retry_delays_seconds: listOf(integer(), 'Pauses after each failed attempt, before the next.'),
    timeout_seconds: integer('Time limit of one attempt.'),
    file: object(
      { retry_delays_seconds: listOf(integer()), timeout_seconds: integer() },
      'What the configuration file says.',
    ),
    override: orNull(
      object(
        {
          fields: anyObject('What operators have set over it.'),
          set_by: string('The latest of it.'),
          set_at: time('Time of the change.'),
          reason: text,
        },
        'Null: it is as the file says.',
      ),
    ),
    scheduled,
  }),
  VendorSecret: object({
    name: string(),
    channels: listOf(string(), 'Ids of the channels that name it.'),
    can_be_opened: boolean('False: it is sealed under a key that this process does not have.'),
    set_by: string(),
    set_at: time('Time of the change.'),
    reason: text,
  }),
};
