import { cutTo, onOneLine } from '../screen/cut';
import type { DemoReport, Failure, Outcome } from './run-demo';
import { formatTable } from './table';

/** Keeps the table below 100 characters, what the other columns need being at most 60. */
const RESULT_WIDTH = 40;
const LABEL_WIDTH = 11;
const MAX_REASON_CHARACTERS = 300;

/** The demo's report: a table, the links below it because they are longer than a line, the money and the callbacks. */
export function formatReport({ outcomes, balance }: DemoReport): string[] {
  const links = outcomes.flatMap(linkLine);
  return [
    ...formatTable(outcomes.map(toRow)),
    ...(links.length === 0 ? [] : ['', ...links]),
    '',
    ...(balance === undefined ? [] : [balanceLine(balance)]),
    ...callbackLine(outcomes),
  ];
}

/** One line a family. */
export function formatFailures(failures: readonly Failure[], logOf: (service: string) => string): string[] {
  return failures.map(({ family, reason, service }) => {
    const sentence = cutTo(onOneLine(reason), MAX_REASON_CHARACTERS).replace(/\.$/, '');
    return `${family} failed: ${sentence}. Log: ${logOf(service)}`;
  });
}

function toRow({ job, status, seconds, cost, links, shown }: Outcome): Record<string, string> {
  return {
    family: job.family,
    model: job.model,
    status,
    time: seconds === 0 ? '' : `${seconds.toFixed(1)} s`,
    cost: cost === undefined ? '' : String(cost),
    result: cutTo(links.length === 0 ? shown : filesOf(links.length), RESULT_WIDTH),
  };
}

function linkLine({ job, links: [first, ...others] }: Outcome): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `  (and ${others.length} more)`;
  return [`${job.family.padEnd(LABEL_WIDTH)}${first}${more}`];
}

function balanceLine({ before, after }: { before: number; after: number }): string {
  return `${'balance'.padEnd(LABEL_WIDTH)}${before} -> ${after}, ${round(before - after)} spent`;
}

function callbackLine(outcomes: readonly Outcome[]): string[] {
  const expected = outcomes.filter(({ callback }) => callback !== undefined).length;
  const verified = outcomes.filter(({ callback }) => callback === true).length;
  if (expected === 0) return [];
  const received = verified === expected ? String(verified) : `${verified} of ${expected}`;
  return [`${'callbacks'.padEnd(LABEL_WIDTH)}${received} received, signature verified`];
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** Nano-units are the smallest money there is; a difference of two doubles has digits beyond them. */
function round(amount: number): number {
  return Number(amount.toFixed(9));
}
