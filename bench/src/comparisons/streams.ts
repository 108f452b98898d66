import type { Comparison, Outcome } from '../comparison';
import { type Figure, figure, type Goal, rateRatio } from '../measure/figure';
import { interleave } from '../measure/interleave';
import type { Slice } from '../measure/slice';
import { median } from '../measure/statistics';
import { auditFaults, mustEqual, openBooks } from '../product/books';
import {
  type Request,
  speechDirect,
  speechThroughProduct,
  textDirect,
  textThroughProduct,
  writeFastChannels,
} from '../product/fast-paths';
import { startApi, startSpeechWorker } from '../product/services';
import { type StreamContender, streamContender } from '../product/stream-contender';
import { untilEnded } from '../product/tasks';
import type { Stage } from '../stage';

const MANY = 64;
const STREAM = 'streamGenerateContent?alt=sse';

const SPEECH_ADDED: Goal = {
  id: 'P11',
  measure: 'first audio byte, added to the vendor’s own, p50, one caller',
  threshold: { atMost: 12 },
  unit: 'ms',
};
const TEXT_ADDED: Goal = {
  ...SPEECH_ADDED,
  measure: 'first byte of streamed text, likewise',
  threshold: { atMost: 3 },
};
const THROUGHPUT: Goal = {
  id: 'P11',
  measure: `speeches of 1 MB through the worker, ${MANY} callers`,
  against: 'the vendor itself',
  threshold: { atLeast: 0.4 },
  unit: 'x',
};

interface Way {
  name: string;
  callers: number;
  through: StreamContender;
  direct: StreamContender;
}

/** How much later the first byte of a stream comes through the product, and how much of the vendor's throughput is left. */
export const streams: Comparison = {
  name: 'streams',
  goals: ['P11'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const vendor = await stage.startProgram('instruments/fast-upstream.ts', {});
    const channels = writeFastChannels(stage, vendor.url);
    const api = await startApi(stage, books, { MEDIAGATE_CONFIG: channels });
    const worker = await startSpeechWorker(stage, books, channels);
    const way = (name: string, callers: number, [through, direct]: readonly [Request, Request]): Way => ({
      name,
      callers,
      through: streamContender(stage, { name, pids: [api.pid, worker.pid], request: through, callers }),
      direct: streamContender(stage, { name: `${name}, direct`, pids: [vendor.pid], request: direct, callers }),
    });
    const speech = [speechThroughProduct(api.url, books), speechDirect(vendor.url)] as const;
    const text = [textThroughProduct(api.url, books, STREAM), textDirect(vendor.url, STREAM)] as const;
    const ways = [
      way('speech, one caller', 1, speech),
      way(`speech, ${MANY} callers`, MANY, speech),
      way('text, one caller', 1, text),
      way(`text, ${MANY} callers`, MANY, text),
    ];
    const [speechOfOne, speechOfMany, textOfOne, textOfMany] = await measureAll(stage, ways);
    const answers = ways.reduce((sum, { through }) => sum + through.answers(), 0);
    return {
      figures: [
        addedFigure(SPEECH_ADDED, speechOfOne, speechOfMany),
        addedFigure(TEXT_ADDED, textOfOne, textOfMany),
        rateRatio(THROUGHPUT, speechOfMany.through, speechOfMany.direct),
      ],
      faults: [
        ...ways.flatMap(sidesOf).flatMap((side) => side.faults()),
        ...mustEqual('not ended', await untilEnded(books), 0),
        ...mustEqual('completed', await books.count(`tasks where status = 'completed'`), answers),
        ...(await auditFaults(books)),
      ],
    };
  },
};

const sidesOf = ({ through, direct }: Way) => [through, direct];

interface Measured {
  through: Slice[];
  direct: Slice[];
}

type Four = [Measured, Measured, Measured, Measured];

async function measureAll(stage: Stage, ways: readonly Way[]): Promise<Four> {
  const measured: Measured[] = [];
  for (const way of ways) {
    const [ours = [], theirs = []] = await interleave(sidesOf(way), stage.pace);
    measured.push({ through: ours, direct: theirs });
  }
  return measured as Four;
}

type Latency = 'p50Ms' | 'p99Ms';

function addedFigure(goal: Goal, one: Measured, many: Measured): Figure {
  const values = added(one, 'p50Ms');
  const show = (measured: Measured, which: Latency) => `+${median(added(measured, which)).toFixed(1)}`;
  const of = (measured: Measured) => `p50 ${show(measured, 'p50Ms')} ms, p99 ${show(measured, 'p99Ms')} ms`;
  return figure(goal, { values, slices: one.through, limit: `one caller ${of(one)}; ${MANY} callers ${of(many)}` });
}

function added({ through, direct }: Measured, which: Latency): number[] {
  return through.map((slice, round) => (slice[which] ?? Number.NaN) - (direct[round]?.[which] ?? Number.NaN));
}
