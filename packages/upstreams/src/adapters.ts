import { type JsonObject, type LoadedMedia, type LoadModule, modulesIn } from '@mediagate/contracts';
import type { Adapter, FileOutline, Lack, OptionFault, Plan, Probe, ServedFamily } from './contract';
import { createHttpClient } from './http-client';
import type { Clients, CreateProtocol, Spoken } from './protocol';
import { fitFaults, type TemplatedModel } from './templates/template-fit';
import { cannotCarry } from './vendor-call';

const PROTOCOLS_FOUND = findProtocols();

/** The adapters by the `protocol` word of the channels file. They share the clients, and so their connections. */
export function createAdapters(clients: Clients): ReadonlyMap<string, Adapter> {
  const adapters = PROTOCOLS_FOUND.map((create) => create(clients)).filter(servesTasks);
  return new Map(adapters.map((adapter) => [adapter.protocol, withJudgedStart(adapter)]));
}

/** By the `protocol` word, also of protocols that serve no task. */
export function createProbes(clients: Clients): ReadonlyMap<string, Probe> {
  const spoken = PROTOCOLS_FOUND.map((create) => create(clients));
  return new Map(spoken.flatMap(({ protocol, probe }): [string, Probe][] => (probe ? [[protocol, probe]] : [])));
}

/** Verdicts are no tasks, so a protocol that gives them is no adapter. */
function servesTasks(spoken: Adapter | Spoken): spoken is Adapter {
  return 'start' in spoken;
}

/** Refuses a request that the protocol cannot carry before anything is sent, whoever calls. */
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

/** Nothing is sent by it. */
const IDLE: Clients = { http: createHttpClient() };

/** By the `protocol` word. */
const SPOKEN: ReadonlyMap<string, Spoken> = new Map(
  PROTOCOLS_FOUND.map((create) => create(IDLE)).map((spoken) => [spoken.protocol, spoken]),
);

/** The words that the channels file may use. */
export const PROTOCOLS: ReadonlySet<string> = new Set(SPOKEN.keys());

/** The protocols that can serve models of a family, in the order of the alphabet. */
export function protocolsServing(family: ServedFamily): string[] {
  return [...PROTOCOLS].filter((protocol) => canServe(protocol, family)).sort();
}

/** Protocols whose channels take models that the configuration describes. */
export function protocolsWithTemplates(): string[] {
  return [...SPOKEN.values()].filter(({ hasTemplates }) => hasTemplates === true).map(({ protocol }) => protocol);
}

export function canServe(protocol: string, family: ServedFamily): boolean {
  return SPOKEN.get(protocol)?.families.includes(family) ?? false;
}

/** The protocols that can cancel what their upstreams have accepted. */
export function protocolsThatCancel(): string[] {
  return [...SPOKEN.values()].filter(({ cancel }) => cancel !== undefined).map(({ protocol }) => protocol);
}

/** Whether its requests may hold callers' files in place of their addresses. */
export function takesFiles(protocol: string): boolean {
  return SPOKEN.get(protocol)?.fileRoles !== undefined;
}

/** The fault in a channel's `options` under its protocol, for its operator; undefined: none. */
export function checkChannelOptions(
  protocol: string,
  options: JsonObject,
  names?: readonly string[],
): string | OptionFault | undefined {
  return SPOKEN.get(protocol)?.checkOptions?.(options, names);
}

/** Where a channel's templates do not fit the models that are mapped to them; undefined: nowhere, or it has none. */
export function checkTemplatesFit(
  protocol: string,
  options: JsonObject,
  models: readonly TemplatedModel[],
): OptionFault | undefined {
  return SPOKEN.get(protocol)?.hasTemplates === true ? fitFaults(options, models).next().value : undefined;
}

/** The part of a task that a channel of that protocol cannot carry, as far as it is known; undefined: none. */
export function lackOf(protocol: string, plan: Plan): Lack | undefined {
  return SPOKEN.get(protocol)?.lacks?.(plan);
}

/**
 * Every protocol, each in the folder of its name: the folders are the registry. Throws, naming the file, where one does not
 * export a protocol of that name: a process never starts with half of them.
 */
export function findProtocols(): readonly CreateProtocol[] {
  return [...modulesIn(__dirname, '*/adapter.ts')].map(([file, load]) => createProtocol(file, load));
}

function createProtocol(file: string, load: LoadModule): CreateProtocol {
  const { default: create } = load() as { default?: CreateProtocol };
  if (typeof create !== 'function') throw new Error(`${file}: export default a function that creates the adapter`);
  return (clients: Clients) => named(create(clients), file);
}

function named<P extends Spoken>(spoken: P, file: string): P {
  if (file === `${spoken.protocol}/adapter.ts`) return spoken;
  throw new Error(`${file}: the folder must be named after its protocol, ${spoken.protocol}`);
}
