import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CatalogueEntry, loadCatalogue } from '@mediagate/catalog';
import { FAMILY_TRAITS, type Family, type JsonObject } from '@mediagate/contracts';
import { simulatorKeys } from '@mediagate/testkit/servers';
import type { Endpoint } from '@mediagate/upstreams';
import { parse } from 'yaml';
import { type PlannedJob, planJobs, requestOf } from '../../tools/cli/src/verify/plan-jobs';

/** A channel at the simulator, and work for it that needs words alone. */
export interface SimulatedChannel {
  protocol: string;
  /** The folder of the simulator that answers. */
  vendor: string;
  endpoint(simulatorUrl: string): Endpoint;
  /** The work with more words in its prompt. */
  request(words: string): JsonObject;
}

type Planned = Parameters<typeof planJobs>[0];

interface Written {
  id: string;
  protocol: string;
  base_url: string;
  api_key: string;
  options?: JsonObject;
  models: Record<string, string | { name: string }>;
  priority?: number;
  test?: boolean;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: as the configuration file has it.
const SIMULATOR = '${SIMULATOR_URL}';
const SHIPPED = join(__dirname, '../../deploy/config/simulator.yaml');
const EXAMPLE = join(__dirname, '../../deploy/config/example.yaml');
/** The example leaves its voices to the operator's account; the simulated one has this. */
const VOICES = /\bthe-id-of-a-\w+-voice\b/g;
const VOICE = 'EXAVITQu4vr4xnSDxMaL';

/** The first channel of each protocol of the shipped configuration, with the cheapest example of the catalogue that it can carry. */
export function simulatedChannels(): SimulatedChannel[] {
  const catalogue = loadCatalogue();
  const channels = shippedChannels();
  const found = new Map<string, SimulatedChannel>();
  for (const channel of channels.filter(({ base_url: url }) => url.startsWith(SIMULATOR))) {
    const [job] = planJobs(channelOf(channel), { settings: {}, catalogue }, []).jobs.filter(
      ({ entry }) => entry.family !== 'text',
    );
    if (!job || found.has(channel.protocol)) continue;
    const request = requestOf(job.entry, job.input);
    found.set(channel.protocol, simulated(channel, { endpoint: job.endpoint, request }));
  }
  return [...found.values()];
}

/** Work of one operation of a model, at the first channel of tests that can carry it. */
export interface TestKeyJob extends SimulatedChannel {
  model: string;
  operation: string;
  family: Family;
}

/** Every operation that a worker does for test keys and that needs words alone, by the shipped configuration. */
export function testKeyJobs(): TestKeyJob[] {
  const catalogue = loadCatalogue();
  const found = new Map<string, TestKeyJob>();
  for (const channel of testChannels()) {
    for (const job of planJobs(channelOf(channel), { settings: {}, catalogue }, []).jobs) {
      const name = `${job.entry.id} ${job.entry.operation}`;
      if (!found.has(name) && hasAdapter(job.entry)) found.set(name, testKeyJob(channel, job));
    }
  }
  return [...found.values()];
}

/** Every operation that needs words alone at each channel that the example configuration has, as its vendor is simulated. */
export function exampleJobs(): TestKeyJob[] {
  const catalogue = loadCatalogue();
  const { channels }: { channels: Written[] } = parse(readFileSync(EXAMPLE, 'utf8').replaceAll(VOICES, VOICE));
  const places = new Map(shippedChannels().map((channel) => [channel.protocol, channel]));
  return channels.flatMap((channel) => {
    const place = places.get(channel.protocol);
    if (!place || channel.test || !place.base_url.startsWith(SIMULATOR)) return [];
    const placed = { ...channel, base_url: place.base_url, api_key: place.api_key };
    const jobs = planJobs(channelOf(placed), { settings: {}, catalogue }, []).jobs.filter(({ entry }) =>
      hasAdapter(entry),
    );
    return jobs.map((job) => testKeyJob(placed, job));
  });
}

function hasAdapter({ family }: Pick<CatalogueEntry, 'family'>): boolean {
  return FAMILY_TRAITS[family].hasWorker;
}

function testKeyJob(channel: Written, { entry, input, endpoint }: PlannedJob): TestKeyJob {
  const { id: model, operation, family } = entry;
  return { model, operation, family, ...simulated(channel, { endpoint, request: requestOf(entry, input) }) };
}

/** Channels of test keys, in the order in which they are asked. */
function testChannels(): Written[] {
  const ofTests = shippedChannels().filter(({ test, base_url: url }) => test && url.startsWith(SIMULATOR));
  return ofTests.sort((left, right) => (left.priority ?? 1) - (right.priority ?? 1));
}

function shippedChannels(): Written[] {
  return parse(readFileSync(SHIPPED, 'utf8')).channels;
}

function simulated({ protocol, base_url: url }: Written, { endpoint, request }: SimulatedJob): SimulatedChannel {
  const path = url.slice(SIMULATOR.length);
  return {
    protocol,
    // The proxy's paths begin where the address ends.
    vendor: path.split('/')[1] ?? 'mj',
    endpoint: (origin) => ({ ...endpoint, baseUrl: origin + path }),
    request: (words) => withWords(request, words),
  };
}

interface SimulatedJob {
  endpoint: Endpoint;
  request: JsonObject;
}

function channelOf({ id, protocol, base_url: baseUrl, api_key: key, models, options = {} }: Written): Planned {
  const apiKey = simulatorKeys()[key.slice('${'.length, -1)] ?? '';
  const names = Object.entries(models).map(
    ([model, its]) => [model, typeof its === 'string' ? its : its.name] as const,
  );
  return { id, protocol, baseUrl, apiKey, options, models: new Map(names) } as unknown as Planned;
}

/** Fields in which a request has words of its caller's. */
const WORDS = ['prompt', 'description', 'input'];

function withWords(request: JsonObject, words: string): JsonObject {
  const field = WORDS.find((name) => typeof request[name] === 'string');
  if (field === undefined) throw new Error(`no words in ${Object.keys(request)}`);
  return { ...request, [field]: `${words} ${request[field]}` };
}
