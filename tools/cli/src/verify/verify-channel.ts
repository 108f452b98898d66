import type { Nano } from '@mediagate/contracts';
import { createGuardedClient } from '@mediagate/egress';
import { createOutputFetcher, createProber } from '@mediagate/media';
import { type Channel, MODERATION_MODEL, type OpenedSettings, protocolsOf, type Settings } from '@mediagate/settings';
import {
  canServe,
  createAdapters,
  createGeminiText,
  createHttpClient,
  createModerator,
  createOpenAiChatText,
  type Endpoint,
} from '@mediagate/upstreams';
import { type PlannedJob, planJobs, type UntriedOperation } from './plan-jobs';
import { recordReplies } from './recorder';
import { type JobRun, runJob } from './run-job';
import { runReview, runText } from './run-words';

export interface VerifyOptions {
  operations: readonly string[];
  /** The most that all jobs together may cost. */
  spendNano: Nano;
  acceptsUnknownCost: boolean;
}

export interface Verified {
  ran: RanOperation[];
  untried: UntriedOperation[];
  /** As far as it is known, and else the most that it can be. */
  spentNano: Nano;
}

export interface RanOperation extends JobRun {
  model: string;
  operation: string;
  endpoint: Endpoint;
}

const REVIEW = 'review';

interface Wanted {
  model: string;
  operation: string;
  endpoint: Endpoint;
  /** Undefined: not known. */
  mostNano: Nano | undefined;
  run(): Promise<JobRun>;
}

/** One job after the other, so that none begins whose cost might pass what may be spent. */
export async function verifyChannel(
  channel: Channel,
  opened: OpenedSettings,
  { operations, spendNano, acceptsUnknownCost }: VerifyOptions,
): Promise<Verified> {
  const runners = openRunners(channel, opened.settings);
  const plan = planJobs(channel, opened, operations);
  const result: Verified = { ran: [], untried: plan.untried, spentNano: 0n };
  try {
    for (const wanted of [...reviewOf(channel, runners), ...plan.jobs.map((job) => wantedOf(job, runners))]) {
      const { run, mostNano, ...named } = wanted;
      const why = reasonAgainst(mostNano, { left: spendNano - result.spentNano, acceptsUnknownCost });
      if (why !== undefined) {
        result.untried.push({ model: named.model, operation: named.operation, why });
        continue;
      }
      const ran = await run();
      result.spentNano += ran.costNano ?? 0n;
      result.ran.push({ ...named, ...ran });
    }
  } finally {
    await runners.close();
  }
  return result;
}

/** Operations of a channel that can be verified, by the names that `operations` takes. */
export function operationsOf({ models, protocol }: Channel, { settings, catalogue }: OpenedSettings): string[] {
  const protocols = protocolsOf(settings);
  const entries = catalogue.entries.filter(({ id, family }) => models.has(id) && canServe(protocol, family, protocols));
  const reviews = models.has(MODERATION_MODEL) ? [REVIEW] : [];
  return [...reviews, ...new Set(entries.map(({ operation }) => operation))];
}

function reasonAgainst(
  mostNano: Nano | undefined,
  { left, acceptsUnknownCost }: { left: Nano; acceptsUnknownCost: boolean },
): string | undefined {
  if (mostNano !== undefined) return mostNano > left ? 'it could cost more than is left to spend' : undefined;
  return acceptsUnknownCost
    ? undefined
    : 'what it costs is not known: declare costs of the channel, or --accept-unknown-cost';
}

type Runners = ReturnType<typeof openRunners>;

function openRunners(channel: Channel, settings: Settings) {
  const client = createHttpClient();
  const recorder = recordReplies(client);
  const texts = [createGeminiText(client), createOpenAiChatText(client)];
  const guarded = createGuardedClient({ ...settings.media, allowOrigins: [] });
  return {
    channel,
    recorder,
    adapter: createAdapters({ http: recorder.http }, protocolsOf(settings)).get(channel.protocol),
    text: texts.find(({ protocol }) => protocol === channel.protocol),
    moderator: createModerator({ http: client }),
    fetchOutput: createOutputFetcher({ prober: createProber(), client: guarded }),
    async close() {
      await client.close();
    },
  };
}

function wantedOf(job: PlannedJob, { adapter, text, ...deps }: Runners): Wanted {
  const { entry, endpoint, mostNano } = job;
  const isText = entry.family === 'text';
  return {
    model: entry.id,
    operation: entry.operation,
    endpoint,
    mostNano,
    run() {
      if (isText && text !== undefined) return runText(job, text);
      if (adapter === undefined) throw new Error(`no adapter speaks ${deps.channel.protocol}`);
      return runJob(job, { ...deps, adapter });
    },
  };
}

function reviewOf(channel: Channel, { moderator }: Runners): Wanted[] {
  const { id: channelId, protocol, baseUrl, apiKey, options } = channel;
  const model = channel.models.get(MODERATION_MODEL);
  if (protocol !== moderator.protocol || model === undefined) return [];
  const endpoint = { channelId, baseUrl, apiKey, options, model };
  const signal = new AbortController().signal;
  const run = () => runReview(moderator, { endpoint, signal });
  return [{ model: MODERATION_MODEL, operation: REVIEW, endpoint, mostNano: 0n, run }];
}
