// @ts-check
/**
 * The process in which audio and video are taken apart; see `probe.ts`, which starts it. Plain JavaScript, because it is run
 * as it is. It asks for whatever it reads.
 *
 * @typedef {{ totalBytes: number, toTheEnd: boolean }} Task
 * @typedef {{ read: { id: number, start: number, end: number } }} ReadRequest
 * @typedef {{ id: number, bytes: Uint8Array }} ReadAnswer
 */

const mediabunny = require('mediabunny');

const { CustomSource, EncodedPacketSink, Input } = mediabunny;
/** Formats of one file each: a playlist names others. */
const FORMATS = [
  ...[mediabunny.MP4, mediabunny.QTFF, mediabunny.WEBM, mediabunny.WAVE],
  ...[mediabunny.MP3, mediabunny.OGG, mediabunny.FLAC],
];
const CACHE_BYTES = 4 * 1024 * 1024;

/** @type {Map<number, (bytes: Uint8Array) => void>} */
const reads = new Map();
let lastId = 0;

process.on('message', (/** @type {{ task: Task } | { answer: ReadAnswer }} */ message) => {
  if ('answer' in message) {
    reads.get(message.answer.id)?.(message.answer.bytes);
    reads.delete(message.answer.id);
    return;
  }
  probe(message.task).then(
    (facts) => send({ facts }),
    (error) => send({ failure: String(error?.message ?? error) }),
  );
});

// It ends with whoever started it, and not before: a key pressed at a terminal is meant for that one, which may have a file
// to finish.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** @param {object} message */
function send(message) {
  process.send?.(message);
}

/**
 * @param {number} start
 * @param {number} end
 * @returns {Promise<Uint8Array>}
 */
function read(start, end) {
  lastId += 1;
  const id = lastId;
  send({ read: { id, start, end } });
  return new Promise((resolve) => reads.set(id, resolve));
}

/** @param {Task} task */
async function probe({ totalBytes, toTheEnd }) {
  const source = new CustomSource({
    getSize: () => totalBytes,
    read,
    maxCacheSize: CACHE_BYTES,
    // Whole pages of 64 kB: a sound of ten minutes is 25,000 reads, and each of them a message.
    prefetchProfile: 'fileSystem',
    // A read that nobody waits for any more failed with the one that somebody does wait for.
    handleUnhandledError: () => {},
  });
  const input = new Input({ formats: FORMATS, source });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const tracks = [video, audio].filter((track) => track !== null);
    if (tracks.length === 0) return { seconds: 0 };
    if (toTheEnd) for (const track of tracks) await readLastPacket(track);
    const [first, end] = [await input.getFirstTimestamp(tracks), await input.computeDuration(tracks)];
    return {
      seconds: end - Math.max(0, first),
      ...(video && { video: { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() } }),
      ...(audio && { audio: {} }),
    };
  } finally {
    input.dispose();
  }
}

/**
 * What a file says of itself is true of a file that lost its end as well.
 *
 * @param {import('mediabunny').InputTrack} track
 */
async function readLastPacket(track) {
  const packet = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  if (packet === null || packet.data.length === 0) throw new Error('the last packet is missing');
}
