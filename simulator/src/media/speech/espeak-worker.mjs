// Reads texts aloud, one after the other, in a thread of its own: espeak-ng computes without a pause. It is an ES module,
// so this is one too. Gets { text, args }, answers with { samples } as they are made (16 bits, mono, 22.05 kHz), then with
// { done: true } or { failure }.
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import createEspeak from 'espeak-ng';

const HEADER_BYTES = 44;
const POST_BYTES = 32 * 1024;
const program = await WebAssembly.compile(await readFile(new URL('espeak-ng.wasm', import.meta.resolve('espeak-ng'))));

parentPort.on('message', async ({ text, args }) => {
  try {
    await speak(text, args);
    parentPort.postMessage({ done: true });
  } catch (error) {
    parentPort.postMessage({ failure: String(error?.stack ?? error) });
  }
});

async function speak(text, args) {
  const collector = createCollector();
  const complaints = [];
  await createEspeak({
    arguments: [...args, '-b', '1', '-f', '/text', '-w', '/wave'],
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(program, imports).then(receive);
      return {};
    },
    preRun: [
      ({ FS }) => {
        FS.writeFile('/text', text);
        const device = FS.makedev(64, 0);
        FS.registerDevice(device, { write: collector.write });
        FS.mkdev('/wave', device);
      },
    ],
    print: (line) => complaints.push(line),
    printErr: (line) => complaints.push(line),
  });
  if (!collector.close()) throw new Error(`espeak-ng said nothing: ${complaints.join(' ').slice(0, 500)}`);
}

/** Takes a WAV file as it is written, leaves out its header and what is beyond the bound, and posts the samples. */
function createCollector() {
  let skip = HEADER_BYTES;
  let left = workerData.maxBytes;
  let held = [];
  let heldBytes = 0;
  const post = () => {
    if (heldBytes === 0) return;
    const samples = new Uint8Array(Buffer.concat(held));
    parentPort.postMessage({ samples }, [samples.buffer]);
    held = [];
    heldBytes = 0;
  };
  return {
    write(_stream, memory, offset, length) {
      const header = Math.min(skip, length);
      skip -= header;
      // A copy, because the memory is the program's own.
      const piece = Buffer.from(memory.slice(offset + header, offset + Math.min(length, header + left)));
      left -= piece.length;
      held.push(piece);
      heldBytes += piece.length;
      if (heldBytes >= POST_BYTES) post();
      return length;
    },
    /** False when not even a header came. */
    close() {
      post();
      return skip === 0;
    },
  };
}
