import { resolve } from 'node:path';
import { type Nano, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import { SettingsError } from '@mediagate/settings';
import { open, toFaults } from '../open-configuration';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { type Verified, verifyChannel } from '../verify/verify-channel';
import { writeReport } from '../verify/write-report';

export interface VerifyRequest {
  channel: string;
  spend: Nano;
  operation: readonly string[];
  acceptUnknownCost?: true;
  out?: string;
}

/** Real jobs at the vendor, by the channel's own key, at no account's expense. */
export async function verify(session: Session, request: VerifyRequest): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const { channels, closedChannels } = opened.settings;
  const channel = [...channels, ...closedChannels].find(({ id }) => id === request.channel);
  if (!channel) throw new Refusal(`the file has no channel ${request.channel} whose key is set`);
  const { spend: spendNano, operation: operations, acceptUnknownCost = false } = request;
  const verified = await verifyChannel(channel, opened, {
    operations,
    spendNano,
    acceptsUnknownCost: acceptUnknownCost,
  });
  const folder = resolve(request.out ?? `vendor-verify-${channel.id}`);
  const files = await writeReport(folder, channel, verified);
  return {
    json: { channel: channel.id, protocol: channel.protocol, ...toJson(verified), folder, files },
    text: `${resultTable(verified)}\n\nspent at most ${nanoToDecimal(verified.spentNano)}; ${folder}: ${files.join(', ')}`,
    faulty: verified.ran.length === 0 || verified.ran.some(({ isGood }) => !isGood),
  };
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
