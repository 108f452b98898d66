import type { CatalogueEntry } from '@mediagate/catalog';
import { endpointOf } from '@mediagate/channels';
import { aboutField, type JsonObject, type Message } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { type FileOutline, type Lack, type Protocols, protocolOf } from '@mediagate/upstreams';

/** Why none of the channels can carry a task, by the one that comes nearest; undefined: one can. */
export type CarriageJudge = (
  input: JsonObject,
  files: readonly FileOutline[],
) => { param?: string; message: Message } | undefined;

/**
 * Judges whether a task can be carried by one of the channels, which all serve its model, as their protocols declare it:
 * what none can carry is refused at submission, where it costs nothing, in place of being accepted to fail.
 */
export function createCarriageJudge(
  entry: CatalogueEntry,
  channels: readonly Channel[],
  protocols: Protocols,
): CarriageJudge {
  const serving = channels.map((channel) => ({
    protocol: protocolOf(channel.protocol, protocols),
    endpoint: endpointOf(channel, entry.id),
  }));
  return (input, files) => {
    const request = entry.request(input, []);
    const lacks: Lack[] = [];
    for (const { protocol, endpoint } of serving) {
      const lack = protocol?.lacks?.({ request, files, endpoint });
      if (lack === undefined) return undefined;
      lacks.push(lack);
    }
    const [nearest] = lacks.sort((left, right) => nearness(right) - nearness(left));
    return nearest && inBodyTerms(nearest, entry, input);
  };
}

/** A limit that was passed says more than a field, and a field more than an operation; of limits the largest counts. */
function nearness({ part, most }: Lack): number {
  if (part === undefined) return 0;
  return most === undefined ? 1 : 1 + most;
}

function inBodyTerms(
  { part, message }: Lack,
  entry: CatalogueEntry,
  input: JsonObject,
): { param?: string; message: Message } {
  const param = part === undefined ? undefined : entry.fieldOf(input, part);
  return param === undefined ? { message } : { param, message: aboutField(param, message) };
}
