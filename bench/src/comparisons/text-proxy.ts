import type { Comparison, Outcome } from '../comparison';
import { peakMemoryMib } from '../machine/memory';
import type { Figure } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, type Books, mustEqual, mustMatchAcknowledged, openBooks } from '../product/books';
import {
  textDirect,
  textThroughLiteLlm,
  textThroughPortkey,
  textThroughProduct,
  writeFastChannels,
} from '../product/fast-paths';
import { type HttpContender, httpContender, inFlightAtMost } from '../product/http-contender';
import { startLiteLlm } from '../product/litellm';
import { startApi } from '../product/services';
import { untilEnded } from '../product/tasks';
import type { Stage } from '../stage';
import { figuresOf } from './text-proxy/figures';
import type { Measured, Way, WayName, Ways } from './text-proxy/ways';

const MANY = 64;
const SOME = 16;

/** `generateContent` through the product, with every call in the books, beside other gateways, and no gateway at all. */
export const textProxy: Comparison = {
  name: 'text-proxy',
  goals: ['P7', 'P8', 'P12'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const ways = await openWays(stage, books);
    const many = sidesOf(stage, ways, MANY);
    const some = sidesOf(stage, ways, SOME);
    const one = sidesOf(stage, ways, 1);
    const measured = {
      many: await measure(stage, many),
      some: await measure(stage, some),
      one: await measure(stage, one),
    };
    const figures: Figure[] = figuresOf(measured, (name) => {
      const way = ways[name];
      return way === undefined ? Number.NaN : peakMemoryMib(way.pid);
    });
    const sides = [many, some, one];
    const own = sides.flatMap(({ product }) => product ?? []);
    const acknowledged = {
      answers: own.reduce((sum, side) => sum + side.answers(), 0),
      inFlightAtMost: own.reduce((sum, side) => sum + inFlightAtMost(side, MANY), 0),
    };
    return {
      figures,
      faults: [
        ...sides.flatMap((each) => Object.values(each)).flatMap((side) => side.faults()),
        ...mustEqual('texts not settled', await untilEnded(books), 0),
        ...mustMatchAcknowledged('texts', await books.count('tasks'), acknowledged),
        ...(await auditFaults(books)),
      ],
    };
  },
};

async function openWays(stage: Stage, books: Books): Promise<Ways> {
  const vendor = await stage.startProgram('instruments/fast-upstream.ts', {});
  const api = await startApi(stage, books, { MEDIAGATE_CONFIG: writeFastChannels(stage, vendor.url) });
  const portkey = await stage.startProgram('reference/portkey.ts', {});
  const litellm = await startLiteLlm(stage, vendor.url);
  return {
    product: { pid: api.pid, request: textThroughProduct(api.url, books) },
    portkey: { pid: portkey.pid, request: textThroughPortkey(portkey.url, vendor.url) },
    ...(litellm ? { litellm: { pid: litellm.pid, request: textThroughLiteLlm(litellm.url) } } : {}),
    direct: { pid: vendor.pid, request: textDirect(vendor.url) },
  };
}

type Sides = Partial<Record<WayName, HttpContender>>;

function sidesOf(stage: Stage, ways: Ways, connections: number): Sides {
  const entries = Object.entries(ways).map(([name, way]) => [name, contender(stage, { name, way, connections })]);
  return Object.fromEntries(entries);
}

/** Beside 64 callers its first answer takes more than a second, on a busy machine more than two. */
const SLOW_SLICE_MS = 4000;

function contender(
  stage: Stage,
  { name, way, connections }: { name: string; way: Way; connections: number },
): HttpContender {
  const side = httpContender(stage, name, way.pid, { ...way.request, method: 'POST', connections });
  return name === 'litellm' ? { ...side, slice: (ms) => side.slice(Math.max(ms, SLOW_SLICE_MS)) } : side;
}

async function measure(stage: Stage, sides: Sides): Promise<Measured> {
  const slices = await interleave(Object.values(sides), stage.pace);
  return Object.fromEntries(Object.keys(sides).map((name, index) => [name, slices[index] ?? []]));
}
