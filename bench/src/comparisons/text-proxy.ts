import type { Comparison, Outcome } from '../comparison';
import { peakMemoryMib } from '../machine/memory';
import type { Figure } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, type Books, mustEqual, mustMatchAcknowledged, openBooks } from '../product/books';
import { textDirect, textThroughPortkey, textThroughProduct, writeFastChannels } from '../product/fast-paths';
import { type HttpContender, httpContender, inFlightAtMost } from '../product/http-contender';
import { startApi } from '../product/services';
import { untilEnded } from '../product/tasks';
import type { Stage } from '../stage';
import { figuresOf } from './text-proxy/figures';
import type { Measured, Way, WayName, Ways } from './text-proxy/ways';

const MANY = 64;
const SOME = 16;

/** `generateContent` through the product, with every call in the books, beside another gateway, and no gateway at all. */
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
    const figures: Figure[] = figuresOf(measured, (name) => peakMemoryMib(ways[name].pid));
    const sides = [many, some, one];
    const own = sides.map(({ product }) => product);
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
  return {
    product: { pid: api.pid, request: textThroughProduct(api.url, books) },
    portkey: { pid: portkey.pid, request: textThroughPortkey(portkey.url, vendor.url) },
    direct: { pid: vendor.pid, request: textDirect(vendor.url) },
  };
}

type Sides = Record<WayName, HttpContender>;

function sidesOf(stage: Stage, { product, portkey, direct }: Ways, connections: number): Sides {
  const side = (name: WayName, { pid, request }: Way) =>
    httpContender(stage, name, pid, { ...request, method: 'POST', connections });
  return {
    product: side('product', product),
    portkey: side('portkey', portkey),
    direct: side('direct', direct),
  };
}

async function measure(stage: Stage, { product, portkey, direct }: Sides): Promise<Measured> {
  const [ours = [], theirs = [], none = []] = await interleave([product, portkey, direct], stage.pace);
  return { product: ours, portkey: theirs, direct: none };
}
