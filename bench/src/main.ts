import { join } from 'node:path';
import { COMPARISONS } from './comparisons';
import { measureDiskFlush } from './machine/disk';
import { machineFacts } from './machine/facts';
import { ROOT } from './machine/processes';
import { openServers, type Servers } from './machine/servers';
import { verdictOf } from './measure/figure';
import { type Options, readOptions } from './options';
import { formatMarkdown } from './report/markdown';
import { type ComparisonResult, writeResults } from './report/results';
import { onStage } from './stage';

/** All of it takes some twenty-five minutes; a run that hangs must not stay. */
const RUN_LIMIT_MS = 45 * 60_000;
/** More for each row of the lists. */
const RUN_LIMIT_OF_ROW_MS = 0.5;
const RESULTS = join(ROOT, 'bench/results.json');

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const startedAt = new Date();
  const machine = machineFacts();
  const directory = join(process.env['MEDIAGATE_HOME'] ?? join(ROOT, '.mediagate'), 'bench');
  const servers = await openServers(directory, say);
  endEarly(servers, RUN_LIMIT_MS + (options.rows ?? 0) * RUN_LIMIT_OF_ROW_MS);
  try {
    const diskFlush = measureDiskFlush(directory);
    const { cpu, cores, node } = machine;
    say(`${cores} cores of ${cpu}, Node ${node}, a disk flush takes ${diskFlush} µs`);
    const results = await runComparisons(options, { servers, directory });
    const facts = { settings: servers.settings, quick: options.quick };
    const { rounds, sliceMs } = options.pace;
    const run = {
      startedAt: startedAt.toISOString(),
      seconds: secondsSince(startedAt),
      machine,
      diskFlush,
      rounds,
      sliceMs,
    };
    writeResults(RESULTS, { ...run, ...facts }, results);
    say(`\n${formatMarkdown(results)}\n`);
    for (const { name, faults } of results) for (const fault of faults) say(`void  ${name}: ${fault}`);
    say(`The whole of it is in ${RESULTS}.`);
    process.exitCode = results.every(isSound) ? 0 : 1;
  } finally {
    await servers.close();
  }
}

async function runComparisons(
  { quick, pace, only, profileDirectory, rows, cases }: Options,
  { servers, directory }: { servers: Servers; directory: string },
): Promise<ComparisonResult[]> {
  const results: ComparisonResult[] = [];
  for (const comparison of COMPARISONS.filter(({ name }) => only.has(name))) {
    const { name, goals } = comparison;
    const begunAt = new Date();
    const run = { servers, directory, say };
    const stage = { name, ...run, pace, quick, profileDirectory, rows, cases };
    const outcome = await onStage(stage, (open) => comparison.run(open));
    results.push({ name, ...outcome, seconds: secondsSince(begunAt) });
    say(`${name} (${goals.join(', ')}): ${secondsSince(begunAt)} s`);
  }
  return results;
}

/** A goal that is missed a little is news; books that do not balance, or half of a goal, are a failure. */
function isSound({ figures, faults }: ComparisonResult): boolean {
  return faults.length === 0 && figures.every((figure) => verdictOf(figure) !== 'far');
}

function secondsSince(start: Date): number {
  return Math.round((Date.now() - start.getTime()) / 1000);
}

/** On a signal, and when a run hangs. Everything else that was started ends with this process. */
function endEarly(servers: Servers, limitMs: number): void {
  const end = (why: string) => {
    say(`ended early: ${why}`);
    void servers.close().finally(() => process.exit(1));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  setTimeout(end, limitMs, `it took more than ${limitMs / 60_000} minutes`).unref();
}

main().catch((error: Error) => {
  say(error.stack ?? error.message);
  process.exitCode = 1;
});
