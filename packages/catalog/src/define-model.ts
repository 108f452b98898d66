import {
  type CallersPart,
  type DescribedRequest,
  FAMILY_TRAITS,
  type Family,
  type FamilyRequests,
  type JsonObject,
  type KnownMedia,
  type LoadedMedia,
  type MediaReference,
  type ModelField,
  type Nano,
  type TaskKind,
  type Usage,
} from '@mediagate/contracts';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { bodyField } from './body-field';
import { bodySchema } from './body-schema';
import { partIn } from './callers-part';
import type {
  Billing,
  CatalogueEntry,
  MediaProblem,
  ModelRoute,
  NamedAddress,
  ParsedInput,
  Rates,
  RejectedInput,
  SourceReference,
  SourceTask,
} from './entry';
import type { Spellings } from './known-fields';
import { moderatedContent } from './moderation';
import type { PricedFields } from './near-names';
import { createInputParser, type InputSchema } from './parse-input';
import { completedBy, PER_TASK, toRates } from './rates';
import type { Rule } from './rules';
import { submissionFieldsWithout } from './submission-fields';

/** Deferred on purpose: with `S extends JSONSchema` as the constraint the compiler gives up after 20 seconds (TS2589). */
type Input<S> = S extends JSONSchema ? FromSchema<S> : never;
type RatesOf<P> = Readonly<Record<keyof P, Nano>>;

interface Less<I, R> {
  /** The least that is worth a call; undefined: the input says how much it wants. */
  least: (input: I, rates: R) => Nano | undefined;
  within: (input: I, nano: Nano, rates: R) => I;
}

interface Model<S, P extends Readonly<Record<string, number>>, F extends Family> {
  /** Public name; also the name of the file, or of the folder with a file for each operation. */
  id: string;
  aliases?: readonly string[];
  /** OpenAI's model of this kind answers in base64, and so does this one to OpenAI's clients; default: links. */
  answersInBase64?: boolean;
  /** A line about the model; absent: its name says enough. */
  description?: string;
  family: F;
  operation: string;
  /** Paths of its own; absent: a route of the API names the operation. */
  route?: ModelRoute;
  /** Raise it when schema or pricing change. Tasks already accepted keep their input and rates. */
  version: number;
  /** The answer goes to the caller who waits, as it is made; nothing is kept. */
  synchronous?: boolean;
  /** Parameters that other models take and this one answers with 400. */
  unsupportedParameters?: readonly string[];
  /** The model's own names of the fields that its price goes by; a body with a usual name is refused, and the message names these. */
  pricedFields?: PricedFields;
  /** JSON Schema of what the model takes, without `model` and the fields every submission has. */
  input: S;
  /** Puts what callers write in other ways, as parameters within a text, into the fields of the schema. */
  read?: (body: JsonObject) => JsonObject;
  /** Canonical spelling of strings that are choices without being an enum, or that have aliases. */
  canonical?: Spellings;
  /**
   * Fields of a body that have no effect there even where their values are wrong: they go before the schema is asked, without
   * a warning. What has no effect and must still be right is for a rule to ignore.
   */
  ignores?: (input: JsonObject) => readonly string[];
  rules?: readonly Rule<Input<S>>[];
  /**
   * Currency units by unit name. Units ending in `_input` and `_output` are per million tokens; `per_second.480P` is the
   * price of one kind of second; units ending in `_factor` are no prices but multiply one.
   */
  prices: P;
  /** The billing keys that price an input, where the model alone does not; `pricedByKey` makes them, with `prices` by key. */
  billing?: { known: readonly string[]; keys: (input: Input<S>) => readonly string[] };
  reserve: (input: Input<S>, rates: RatesOf<P>) => Nano;
  settle: (input: Input<S>, usage: Usage, rates: RatesOf<P>) => Nano;
  /** How a model manages with less money than `reserve` says; absent: it cannot. */
  less?: Less<Input<S>, RatesOf<P>>;
  /** The earlier task that the body names, if any; `bindSource` then judges it and takes what the job needs. */
  source?: (input: Input<S>) => SourceReference | undefined;
  /** The source waits for this task, and for no other; default false. */
  continuesSource?: boolean;
  bindSource?: (input: Input<S>, source: SourceTask) => ParsedInput | RejectedInput;
  /** The channel that made what the input works on, once it is bound. */
  madeBy?: (input: Input<S>) => string | undefined;
  /** The part of the result that the caller brought; default: some, where a file went in that is no document. */
  callersPart?: (input: Input<S>) => CallersPart | undefined;
  media: (input: Input<S>) => MediaReference[];
  /** Web pages that the upstream reads by itself. */
  pages?: (input: Input<S>) => NamedAddress[];
  /** Judges what only all files together can break, as far as they are known. */
  checkMedia?: (input: Input<S>, media: readonly KnownMedia[]) => MediaProblem | undefined;
  request: (input: Input<S>, media: readonly LoadedMedia[]) => FamilyRequests[F] | DescribedRequest;
  /** When a task must have begun and ended, as `CatalogueEntry` says. */
  startWithinSeconds?: number;
  deadlineMinutes: number;
  resultLifetimeHours: number;
  /** Bodies without `model`, each of which must parse. */
  examples: readonly JsonObject[];
}

/**
 * Declares one model. Inside, everything is typed from the schema and the price list: a misspelt choice or unit does not
 * compile. Outside it is a `CatalogueEntry`, whose `parse` is the only door for input. Throws on a price that is not a decimal
 * with at most nine places.
 */
export function defineModel<const S, const P extends Readonly<Record<string, number>>, F extends Family>(
  model: Model<S, P, F>,
): CatalogueEntry {
  const schema = model.input as InputSchema;
  const defaultRates = toRates(model.id, model.prices);
  const { family, synchronous = false, unsupportedParameters = [] } = model;
  const { kind, modelField } = traitsOf(model);
  // A stored input has been through `parse`, so it has the schema's type; only the compiler does not know.
  const typed = (input: JsonObject) => input as Input<S>;
  const media = (input: JsonObject) => model.media(typed(input));
  const pages = (input: JsonObject) => model.pages?.(typed(input)) ?? [];
  const request = (input: JsonObject, files: readonly LoadedMedia[]) =>
    ({ ...model.request(typed(input), files) }) as JsonObject;
  const fields = new Set(Object.keys(schema.properties));
  // A unit that came into being after the task was accepted has no rate in its snapshot: it counts at the default price.
  const withDefaults = (model.billing ? asTheyAre : completedBy(defaultRates)) as (rates: Rates) => RatesOf<P>;
  const parser = createInputParser({
    schema,
    read: model.read ?? ((body) => body),
    canonical: model.canonical ?? {},
    ignores: model.ignores ?? (() => []),
    rules: (model.rules ?? []) as readonly Rule<JsonObject>[],
    unsupportedParameters: FAMILY_TRAITS[family].hasWorker ? unsupportedParameters : withoutFields(model),
    pricedFields: model.pricedFields ?? {},
    isPassedOn: synchronous,
  });
  return {
    id: model.id,
    aliases: model.aliases ?? [],
    family,
    kind,
    operation: model.operation,
    ...(model.route === undefined ? {} : { route: model.route }),
    version: model.version,
    synchronous,
    unsupportedParameters,
    answersInBase64: model.answersInBase64 ?? false,
    takesAnyMetadata: fields.has('metadata'),
    schema: bodySchema({ ...namesOf(model), modelField, input: schema, withoutFields: withoutFields(model) }),
    examples: model.examples.map((example) => (modelField === 'implied' ? example : { model: model.id, ...example })),
    defaultPrices: model.prices,
    ...timesOf(model),
    ...parser,
    ...pricingOf(model, withDefaults),
    media,
    pages,
    source: (input) => model.source?.(typed(input)),
    continuesSource: model.continuesSource ?? false,
    bindSource: (input, source) => model.bindSource?.(typed(input), source) ?? { ok: true, input, warnings: [] },
    madeBy: (input) => model.madeBy?.(typed(input)) || undefined,
    callersPart: (input) => model.callersPart?.(typed(input)) ?? partIn(media(input)),
    moderate: (input) => moderatedContent(input, media(input)),
    checkMedia: (input, media) => model.checkMedia?.(typed(input), media),
    request,
    outputsAsked: (input) => numberIn(request(input, [])),
    fieldOf: (input, part) =>
      bodyField(part, { request: request(input, []), fields, files: [...media(input), ...pages(input)] }),
  };
}

type Times = Pick<CatalogueEntry, 'startWithinSeconds'> & { deadlineMinutes: number; resultLifetimeHours: number };

function timesOf({ startWithinSeconds, deadlineMinutes, resultLifetimeHours }: Times) {
  return {
    ...(startWithinSeconds === undefined ? {} : { startWithinSeconds }),
    deadlineMs: deadlineMinutes * 60_000,
    resultLifetimeMs: resultLifetimeHours * 3_600_000,
  };
}

interface Pricing<I, R> {
  reserve: (input: I, rates: R) => Nano;
  settle: (input: I, usage: Usage, rates: R) => Nano;
  less?: Less<I, R>;
  billing?: { known: readonly string[]; keys: (input: I) => readonly string[] };
}

/** Input that is priced has been through `parse`. */
function pricingOf<I, R>(
  { reserve, settle, less, billing }: Pricing<I, R>,
  complete: (rates: Rates) => R,
): Pick<CatalogueEntry, 'billing' | 'reserve' | 'settle' | 'least' | 'within'> {
  const perTask = (rates: Rates) => (billing ? undefined : rates[PER_TASK]);
  return {
    ...(billing === undefined ? {} : { billing: eraseBilling(billing) }),
    reserve: (input, rates) => perTask(rates) ?? reserve(input as I, complete(rates)),
    settle: (input, usage, rates) => perTask(rates) ?? settle(input as I, usage, complete(rates)),
    least: (input, rates) => less?.least(input as I, complete(rates)),
    within: (input, nano, rates) => (less?.within(input as I, nano, complete(rates)) ?? input) as JsonObject,
  };
}

function asTheyAre(rates: Rates): Rates {
  return rates;
}

/** Every family's request that has a number of outputs calls it `n`. */
function numberIn({ n }: JsonObject): number | undefined {
  return typeof n === 'number' ? n : undefined;
}

type Named = Pick<CatalogueEntry, 'id' | 'family'> &
  Pick<
    Model<unknown, Record<string, number>, Family>,
    'aliases' | 'description' | 'synchronous' | 'unsupportedParameters'
  >;

function namesOf({ id, aliases = [], description }: Named) {
  return { names: [id, ...aliases], description };
}

/** Fields of every submission that the model does not take. */
function withoutFields({ family, synchronous = false, unsupportedParameters = [] }: Named): string[] {
  return [...unsupportedParameters, ...submissionFieldsWithout({ family, synchronous })];
}

/** The traits of the model's family; a model without a route of its own must be named in the body. */
function traitsOf({ family, route }: { family: Family; route?: ModelRoute }): {
  kind: TaskKind;
  modelField: ModelField;
} {
  const { kind, modelField } = FAMILY_TRAITS[family];
  return { kind, modelField: modelField === 'defaulted' && route === undefined ? 'required' : modelField };
}

/** Input that is billed has been through `parse`. */
function eraseBilling<I>(billing: { known: readonly string[]; keys: (input: I) => readonly string[] }): Billing {
  return { known: billing.known, keys: (input) => billing.keys(input as I) };
}
