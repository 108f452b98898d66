import type { JsonObject, LoadedMedia } from '@mediagate/contracts';
import type { Adapter, FileOutline, OptionFault, Probe, ServedFamily } from './contract';
import type { Clients, ProtocolDescription } from './protocol';
import { makeProtocol, ownProtocols, type Protocols } from './registry';
import { fitFaults, type TemplatedModel } from './templates/template-fit';
import { cannotCarry } from './vendor-call';

/**
 * The adapters by the `protocol` word of the channels file. They share the clients, and so their connections.
 *
 * @param protocols default: those of this package
 */
export function createAdapters(clients: Clients, protocols = ownProtocols()): ReadonlyMap<string, Adapter> {
  const adapters = makeAll(protocols, clients).filter(servesTasks);
  return new Map(adapters.map((adapter) => [adapter.protocol, withJudgedStart(adapter)]));
}

/** By the `protocol` word, also of protocols that serve no task. Default: of those of this package. */
export function createProbes(clients: Clients, protocols = ownProtocols()): ReadonlyMap<string, Probe> {
  const made = makeAll(protocols, clients);
  return new Map(made.flatMap(({ protocol, probe }): [string, Probe][] => (probe ? [[protocol, probe]] : [])));
}

function makeAll(protocols: Protocols, clients: Clients): (Adapter | ProtocolDescription)[] {
  return [...protocols].map(([word, protocol]) => makeProtocol(word, protocol, clients));
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

/** Undefined: there is no protocol of this word. */
export function protocolOf(word: string, protocols: Protocols): ProtocolDescription | undefined {
  return protocols.get(word)?.description;
}

/** The words that a channels file may use, in the order of the alphabet; of those protocols alone, if need be. */
export function protocolWords(
  protocols: Protocols,
  isWanted: (protocol: ProtocolDescription) => boolean = () => true,
): string[] {
  return [...protocols].flatMap(([word, { description }]) => (isWanted(description) ? [word] : [])).sort();
}

export function canServe(protocol: string, family: ServedFamily, protocols: Protocols): boolean {
  return protocolOf(protocol, protocols)?.families.includes(family) ?? false;
}

/** The fault in a channel's `options` under its protocol, for its operator; undefined: none. */
export function checkChannelOptions(
  protocol: string,
  options: JsonObject,
  names?: readonly string[],
  protocols = ownProtocols(),
): string | OptionFault | undefined {
  return protocolOf(protocol, protocols)?.checkOptions?.(options, names);
}

/** Where a channel's templates do not fit the models that are mapped to them; undefined: nowhere, or it has none. */
export function checkTemplatesFit(
  protocol: string,
  options: JsonObject,
  models: readonly TemplatedModel[],
  protocols = ownProtocols(),
): OptionFault | undefined {
  return protocolOf(protocol, protocols)?.hasTemplates === true ? fitFaults(options, models).next().value : undefined;
}
