import { resolve } from 'node:path';
import { type Nano, nanoToNumber } from '@mediagate/contracts';
import { type Channel, protocolsOf } from '@mediagate/settings';
import { type OpenedConfiguration, openConfiguration } from '../open-configuration';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { operationsOf, type Verified, verifyChannel } from '../verify/verify-channel';
import { spentWords, writeReport } from '../verify/write-report';
import { warnOfProxy } from '../warn-of-proxy';

export interface VerifyRequest {
  channel: string;
  spend: Nano;
  operation: readonly string[];
  acceptUnknownCost?: true;
  out?: string;
}

/** Real jobs at the vendor, by the channel's own key, at no account's expense. */
export async function verify(session: Session, request: VerifyRequest): Promise<Answer> {
  const opened = openConfiguration(session);
  const channel = channelOf(request, opened);
  const { spend: spendNano, operation: operations, acceptUnknownCost = false } = request;
  requireOperations(operations, channel, opened);
  warnOfProxy(session);
  const verified = await verifyChannel(channel, opened, {
    operations,
    spendNano,
    acceptsUnknownCost: acceptUnknownCost,
  });
  const folder = resolve(request.out ?? `vendor-verify-${channel.id}`);
  const files = await writeReport(folder, { channel, verified, protocols: protocolsOf(opened.settings) });
  return {
    json: { channel: channel.id, protocol: channel.protocol, ...toJson(verified), folder, files },
    text: `${resultTable(verified)}\n\n${spentWords(verified)}; ${folder}: ${files.join(', ')}`,
    faulty: verified.ran.length === 0 || verified.ran.some(({ isGood }) => !isGood),
  };
}

function channelOf({ channel: wanted }: VerifyRequest, { settings }: OpenedConfiguration): Channel {
  const channels = [...settings.channels, ...settings.closedChannels];
  const channel = channels.find(({ id }) => id === wanted);
  if (channel) return channel;
  const ids = channels.map(({ id }) => id).join(', ');
  throw new Refusal(`the file has no channel ${wanted} whose key is set; it has ${ids || 'none'}`);
}

/** A misspelt operation would be reported as if all had been tried. */
function requireOperations(wanted: readonly string[], channel: Channel, opened: OpenedConfiguration): void {
  const known = operationsOf(channel, opened);
  const unknown = wanted.filter((operation) => !known.includes(operation));
  if (unknown.length === 0) return;
  throw new Refusal(
    `${channel.id} has no operation ${unknown.join(', ')}; its models have ${known.join(', ') || 'none'}`,
  );
}

function toJson({ ran, untried, spentNano }: Verified) {
  return {
    spent: nanoToNumber(spentNano),
    ran: ran.map(({ model, operation, endpoint, isGood, detail, seconds, costNano }) => ({
      operation,
      model,
      upstream_model: endpoint.model,
      works: isGood,
      detail,
      seconds,
      cost: costNano === undefined ? null : nanoToNumber(costNano),
    })),
    not_tried: untried,
  };
}

function resultTable({ ran, untried }: Verified): string {
  return textTable(
    ['OPERATION', 'MODEL', 'RESULT', 'DETAIL'],
    [
      ...ran.map(({ operation, model, isGood, detail }) => [operation, model, isGood ? 'works' : 'FAILS', detail]),
      ...untried.map(({ operation, model, why }) => [operation, model, 'not tried', why]),
    ],
  );
}
