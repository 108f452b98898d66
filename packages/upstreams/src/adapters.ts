import type { JsonObject, LoadedMedia } from '@mediagate/contracts';
import { createArkImages } from './ark-images/adapter';
import type { Adapter, FileOutline, Lack, Plan, ServedFamily } from './contract';
import { createDashScopeVideo } from './dashscope-video/adapter';
import { createGemini } from './gemini/adapter';
import { createHttpClient, type HttpClient } from './http-client';
import { createKlingVideo } from './kling-video/adapter';
import { createLocalAudio } from './local-audio/adapter';
import type { RunFfmpeg } from './local-audio/run-ffmpeg';
import { createMidjourneyProxy } from './midjourney-proxy/adapter';
import { createMiniMaxVideo } from './minimax-video/adapter';
import { createOpenAiImages } from './openai-images/adapter';
import { createModerator } from './openai-moderations/moderator';
import { createOpenAiSpeech } from './openai-speech/adapter';
import { createSkyReelsVideo } from './skyreels-video/adapter';
import type { StreamingClient } from './streaming-client';
import { createSunoApi } from './sunoapi/adapter';
import { createTtapiSuno } from './ttapi-suno/adapter';
import { cannotCarry } from './vendor-call';

/** Every vendor's protocol that a task can go by, one line each. */
const VENDORS: readonly ((http: HttpClient) => Adapter)[] = [
  createOpenAiImages,
  createGemini,
  createArkImages,
  createDashScopeVideo,
  createMiniMaxVideo,
  createKlingVideo,
  createSkyReelsVideo,
  createMidjourneyProxy,
  createTtapiSuno,
  createSunoApi,
];

/** What some adapters need beside the client; absent in processes that start nothing of theirs. */
export interface AdapterTools {
  /** Of `local-audio`. */
  runFfmpeg?: RunFfmpeg;
  /** Of `openai-speech`. */
  streams?: StreamingClient;
}

/** The adapters by the `protocol` word of the channels file. They share the clients, and so their connections. */
export function createAdapters(
  http: HttpClient,
  { runFfmpeg, streams }: AdapterTools = {},
): ReadonlyMap<string, Adapter> {
  const adapters = [...VENDORS.map((create) => create(http)), createLocalAudio(runFfmpeg), createOpenAiSpeech(streams)];
  return new Map(adapters.map((adapter) => [adapter.protocol, withJudgedStart(adapter)]));
}

/** What a protocol cannot carry is never sent, whoever calls. */
function withJudgedStart(adapter: Adapter): Adapter {
  return {
    ...adapter,
    async start(request, context) {
      const files = request.media.map(outlineOf);
      const missing = adapter.lacks?.({ request: request.request, files, endpoint: context.endpoint });
      return missing === undefined ? adapter.start(request, context) : cannotCarry(missing);
    },
  };
}

/** A file that was loaded. One that its vendor fetches itself has no bytes here. */
export function outlineOf({ field, role, contentType, bytes }: LoadedMedia): FileOutline {
  return { field, role, contentType, ...(bytes.length === 0 ? {} : { bytes: bytes.length }) };
}

const CLIENT = createHttpClient();

/** By the `protocol` word; verdicts are no tasks, so that what gives them is no adapter. */
const CHECKED: ReadonlyMap<string, Pick<Adapter, 'families' | 'checkOptions' | 'lacks'>> = new Map(
  [...createAdapters(CLIENT).values(), createModerator(CLIENT)].map((spoken) => [spoken.protocol, spoken]),
);

/** The words that the channels file may use. */
export const PROTOCOLS: ReadonlySet<string> = new Set(CHECKED.keys());

/** The protocols that can serve models of a family, in the order of the alphabet. */
export function protocolsServing(family: ServedFamily): string[] {
  return [...PROTOCOLS].filter((protocol) => canServe(protocol, family)).sort();
}

export function canServe(protocol: string, family: ServedFamily): boolean {
  return CHECKED.get(protocol)?.families.includes(family) ?? false;
}

/** What is wrong with a channel's `options` under its protocol, for its operator; undefined when nothing is. */
export function checkChannelOptions(protocol: string, options: JsonObject): string | undefined {
  return CHECKED.get(protocol)?.checkOptions?.(options);
}

/** What of a task a channel of that protocol cannot carry, as far as it is known; undefined: nothing. */
export function lackOf(protocol: string, plan: Plan): Lack | undefined {
  return CHECKED.get(protocol)?.lacks?.(plan);
}
