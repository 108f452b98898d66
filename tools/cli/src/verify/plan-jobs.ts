import { type CatalogueEntry, createPriceBook, mostVendorCost } from '@mediagate/catalog';
import { FAMILY_TRAITS, inEnglish, type JsonObject, type Nano } from '@mediagate/contracts';
import { type Channel, type OpenedSettings, protocolsOf, type Settings } from '@mediagate/settings';
import { canServe, type Endpoint, type Lack, protocolOf } from '@mediagate/upstreams';

/** One real job of a verification: the cheapest example of an operation that needs nothing but words. */
export interface PlannedJob {
  entry: CatalogueEntry;
  input: JsonObject;
  endpoint: Endpoint;
  /** The most that the vendor can charge; undefined: the channel declares no costs of it. */
  mostNano: Nano | undefined;
}

export interface UntriedOperation {
  model: string;
  operation: string;
  why: string;
}

export interface Plan {
  jobs: PlannedJob[];
  untried: UntriedOperation[];
}

/** @param operations those wanted; empty: all that the channel's models have. */
export function planJobs(
  channel: Channel,
  { settings, catalogue }: Pick<OpenedSettings, 'catalogue'> & { settings: Pick<Settings, 'packages'> },
  operations: readonly string[],
): Plan {
  const protocols = protocolsOf(settings);
  const { lacks } = protocolOf(channel.protocol, protocols) ?? {};
  const plan: Plan = { jobs: [], untried: [] };
  for (const [model, vendorModel] of channel.models) {
    const { id: channelId, baseUrl, apiKey, options } = channel;
    const endpoint = { channelId, baseUrl, apiKey, options, model: vendorModel };
    const entries = catalogue.entries.filter(
      ({ id, family }) => id === model && canServe(channel.protocol, family, protocols),
    );
    for (const entry of entries.filter((each) => isWanted(each, operations))) {
      const chosen = chooseInput(entry, channel, (request) => lacks?.({ request, files: [], endpoint }));
      if (typeof chosen === 'string') plan.untried.push({ model, operation: entry.operation, why: chosen });
      else plan.jobs.push({ entry, endpoint, ...chosen });
    }
  }
  return plan;
}

function isWanted({ operation }: CatalogueEntry, operations: readonly string[]): boolean {
  return operations.length === 0 || operations.includes(operation);
}

/** Why there is none, as a sentence, or the cheapest. */
function chooseInput(
  entry: CatalogueEntry,
  { costs }: Channel,
  lackOf: (request: JsonObject) => Lack | undefined,
): Pick<PlannedJob, 'input' | 'mostNano'> | string {
  const parsed = entry.examples.map((body) => entry.parse(body)).filter((outcome) => outcome.ok);
  const alone = parsed.map(({ input }) => input).filter((input) => needsNothing(entry, input));
  if (alone.length === 0) return 'it works on a file or on an earlier task';
  // A request that no worker sends has no adapter to judge it.
  const judge = (request: JsonObject) => (FAMILY_TRAITS[entry.family].hasWorker ? lackOf(request) : undefined);
  const lacks = alone.map((input) => judge(requestOf(entry, input)));
  const carried = alone.filter((_, index) => lacks[index] === undefined);
  const [lack] = lacks;
  if (carried.length === 0) return lack === undefined ? 'no example' : inEnglish(lack.message);
  const [input] = carried.sort((left, right) => compare(listPrice(entry, left), listPrice(entry, right)));
  return { input: input as JsonObject, mostNano: mostVendorCost({ entry, input: input as JsonObject }, costs) };
}

function needsNothing(entry: CatalogueEntry, input: JsonObject): boolean {
  const hasFiles = entry.media(input).length > 0 || entry.pages(input).length > 0;
  return !hasFiles && entry.source(input) === undefined;
}

export function requestOf(entry: CatalogueEntry, input: JsonObject): JsonObject {
  return entry.request(input, []) as JsonObject;
}

function listPrice(entry: CatalogueEntry, input: JsonObject): Nano {
  return entry.reserve(input, createPriceBook().ratesOf(entry, input));
}

function compare(left: Nano, right: Nano): number {
  return left < right ? -1 : Number(left > right);
}
