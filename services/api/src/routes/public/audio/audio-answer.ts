import type { SpeechFormat } from '@mediagate/contracts';
import type { Exchange } from '../../../http/exchange';
import type { AudioWritable } from '../../../use-cases/speech/speech-stream';

/** Callers get the type of the format they asked for, whatever type an upstream reports. */
const CONTENT_TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
};

/** The last one keeps proxies from gathering what should be heard at once. */
function headersOf(format: SpeechFormat) {
  return { 'Content-Type': CONTENT_TYPES[format], 'X-Accel-Buffering': 'no' };
}

/**
 * The response as the writable that audio goes to. Its head goes out with the first bytes, so that until then an error can
 * still be answered as JSON.
 *
 * While no bytes wait the connection may be silent for as long as the upstream takes. A caller who reads none of the waiting
 * bytes for the server's idle time is cut off, and so has left.
 */
export function openAudioAnswer(
  { response, scope }: Pick<Exchange, 'response' | 'scope'>,
  format: SpeechFormat,
): AudioWritable {
  let unacknowledgedBytes = 0;
  let onAllTaken: (() => void) | undefined;
  // This listener keeps the server from cutting the connection by itself.
  scope.on(response, 'timeout', () => {
    if (unacknowledgedBytes > 0) response.destroy();
  });
  return {
    get left() {
      return response.destroyed && !response.writableFinished;
    },
    get behind() {
      return unacknowledgedBytes > 0;
    },
    onLeave(run) {
      scope.on(response, 'close', () => {
        if (!response.writableFinished) run();
      });
    },
    send(bytes, onTaken) {
      if (!response.headersSent) response.writeHead(200, headersOf(format));
      unacknowledgedBytes += bytes.length;
      response.write(bytes, (error) => {
        unacknowledgedBytes -= bytes.length;
        if (!error) onTaken();
        if (unacknowledgedBytes === 0) onAllTaken?.();
      });
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
    async breakOff() {
      if (unacknowledgedBytes > 0 && !response.destroyed) {
        await new Promise<void>((resolve) => {
          onAllTaken = resolve;
          scope.on(response, 'close', resolve);
        });
      }
      response.destroy();
    },
  };
}
