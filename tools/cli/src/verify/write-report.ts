import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nanoToDecimal } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import type { Protocols } from '@mediagate/upstreams';
import { makeFixture } from './make-fixture';
import type { RanOperation, Verified } from './verify-channel';

const REPORT_FILE = 'report.md';

interface Report {
  channel: Channel;
  verified: Verified;
  protocols: Protocols;
}

/** A report for people and a fixture of each answer that one can be made of. Names of the files in the folder. */
export async function writeReport(folder: string, report: Report): Promise<string[]> {
  const { channel, verified } = report;
  mkdirSync(folder, { recursive: true });
  const fixtures = new Map<RanOperation, string[]>();
  for (const ran of verified.ran) fixtures.set(ran, await writeFixtures(folder, report, ran));
  writeFileSync(join(folder, REPORT_FILE), reportText(channel, verified, fixtures));
  return [REPORT_FILE, ...[...fixtures.values()].flat()];
}

/** Writes fixtures of the start, and of the answer that ended the job. */
async function writeFixtures(
  folder: string,
  { channel: { protocol }, protocols }: Report,
  ran: RanOperation,
): Promise<string[]> {
  const { steps, endpoint, operation } = ran;
  const [first, last] = [steps.find(({ kind }) => kind === 'start'), steps.findLast(({ kind }) => kind === 'check')];
  const written: string[] = [];
  for (const step of [first, last]) {
    if (step === undefined) continue;
    const about = `${operation} at the vendor itself: ${step.kind === 'start' ? 'the start' : 'its end'}`;
    const fixture = await makeFixture(step, { protocol, protocols, endpoint, about });
    if (fixture === undefined) continue;
    const name = `verified-${ran.model}-${operation}-${step.kind}.json`.replaceAll('.', '-').replace(/-json$/, '.json');
    writeFileSync(join(folder, name), `${JSON.stringify(fixture, undefined, 2)}\n`);
    written.push(name);
  }
  return written;
}

function reportText(
  { id, protocol, baseUrl }: Channel,
  verified: Verified,
  fixtures: ReadonlyMap<RanOperation, readonly string[]>,
): string {
  const { ran, untried } = verified;
  const rows = ran.map((each) => [
    each.operation,
    each.model,
    each.endpoint.model,
    each.isGood ? 'works' : '**fails**',
    each.detail,
    String(each.seconds),
    each.costNano === undefined ? 'not known' : nanoToDecimal(each.costNano),
    (fixtures.get(each) ?? []).join(', ') || 'none',
  ]);
  const header = ['Operation', 'Model', "Vendor's model", 'Result', 'What came', 'Seconds', 'Cost at most', 'Fixtures'];
  return [
    `# ${id}`,
    `${protocol} at ${new URL(baseUrl).host}, ${new Date().toISOString().slice(0, 16)} UTC; ${spentWords(verified)}.`,
    table(header, rows),
    ...(untried.length === 0 ? [] : ['## Not tried', table(['Operation', 'Model', 'Why'], untried.map(untriedRow))]),
    '',
  ].join('\n\n');
}

export function spentWords({ ran, spentNano }: Verified): string {
  const isAllKnown = ran.every(({ costNano }) => costNano !== undefined);
  return `spent at most ${nanoToDecimal(spentNano)}${isAllKnown ? '' : ', and what is not known'}`;
}

function untriedRow({ operation, model, why }: Verified['untried'][number]): string[] {
  return [operation, model, why];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
