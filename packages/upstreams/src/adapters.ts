import type { JsonObject, LoadedMedia } from '@mediagate/contracts';
import type { Adapter, FileOutline, OptionFault, Probe, ServedFamily } from './contract';
import { createHttpClient } from './http-client';
import { kit } from './kit';
import type { Clients, ProtocolDescription } from './protocol';
import { registry } from './registry';
import { fitFaults, type TemplatedModel } from './templates/template-fit';
import { cannotCarry } from './vendor-call';

/** The adapters by the `protocol` word of the channels file. They share the clients, and so their connections. */
export function createAdapters(clients: Clients): ReadonlyMap<string, Adapter> {
  const adapters = [...byWord(clients).values()].filter(servesTasks);
  return new Map(adapters.map((adapter) => [adapter.protocol, withJudgedStart(adapter)]));
}

/** By the `protocol` word, also of protocols that serve no task. */
export function createProbes(clients: Clients): ReadonlyMap<string, Probe> {
  const protocols = [...byWord(clients).values()];
  return new Map(protocols.flatMap(({ protocol, probe }): [string, Probe][] => (probe ? [[protocol, probe]] : [])));
}

/** Verdicts are no tasks, so a protocol that gives them is no adapter. */
function servesTasks(protocol: Adapter | ProtocolDescription): protocol is Adapter {
  return 'start' in protocol;
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

type Protocols = ReadonlyMap<string, Adapter | ProtocolDescription>;

/** Each protocol as it describes itself, by its word in the channels file. Nothing is sent by these. */
let described: { of: ReturnType<typeof registry>; protocols: Protocols } | undefined;

function describeProtocols(): Protocols {
  const of = registry();
  if (described?.of !== of) described = { of, protocols: byWord({ http: createHttpClient() }) };
  return described.protocols;
}

/** Undefined: there is no protocol of this word. */
export function protocolOf(word: string): ProtocolDescription | undefined {
  return describeProtocols().get(word);
}

/** The words that the channels file may use, in the order of the alphabet; of those protocols alone, if need be. */
export function protocolWords(isWanted: (protocol: ProtocolDescription) => boolean = () => true): string[] {
  return [...describeProtocols().values()]
    .filter(isWanted)
    .map(({ protocol }) => protocol)
    .sort();
}

/** The words of the protocols of this package alone. */
export function ownProtocolWords(): string[] {
  return protocolWords(({ protocol }) => registry().get(protocol)?.isOwn === true);
}

export function canServe(protocol: string, family: ServedFamily): boolean {
  return protocolOf(protocol)?.families.includes(family) ?? false;
}

/** The fault in a channel's `options` under its protocol, for its operator; undefined: none. */
export function checkChannelOptions(
  protocol: string,
  options: JsonObject,
  names?: readonly string[],
): string | OptionFault | undefined {
  return protocolOf(protocol)?.checkOptions?.(options, names);
}

/** Where a channel's templates do not fit the models that are mapped to them; undefined: nowhere, or it has none. */
export function checkTemplatesFit(
  protocol: string,
  options: JsonObject,
  models: readonly TemplatedModel[],
): OptionFault | undefined {
  return protocolOf(protocol)?.hasTemplates === true ? fitFaults(options, models).next().value : undefined;
}

/** Every protocol that there is. Throws where one is not of the word that it is registered by. */
function byWord(clients: Clients): Protocols {
  const tools = { ...clients, kit };
  const made = [...registry()].map(([word, { create, origin }]) => {
    const protocol = create(tools);
    if (protocol.protocol === word) return [word, protocol] as const;
    throw new Error(`${origin}: the folder must be named after its protocol, ${protocol.protocol}`);
  });
  return new Map(made);
}
