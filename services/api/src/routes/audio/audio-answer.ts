import type { SpeechFormat } from '@mediagate/contracts';
import type { Exchange } from '../../http/exchange';
import type { AudioSink } from '../../use-cases/speech/speech-delivery';

/** What callers are told is the format they asked for, whatever an upstream calls it. */
const CONTENT_TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
};

/**
 * The response as the place that audio goes to. Its head goes out with the first bytes, so that until then an error may
 * still be told as JSON.
 *
 * While nothing waits to be sent the connection may be silent for as long as the upstream takes. A caller who takes none
 * of what does wait, for the server's idle time, is cut off, and so has left.
 */
export function openAudioAnswer(
  { response, scope }: Pick<Exchange, 'response' | 'scope'>,
  format: SpeechFormat,
): AudioSink {
  let untakenBytes = 0;
  let whenTaken: (() => void) | undefined;
  // With a listener here the server no longer cuts the connection by itself.
  scope.on(response, 'timeout', () => {
    if (untakenBytes > 0) response.destroy();
  });
  return {
    get left() {
      return response.destroyed && !response.writableFinished;
    },
    get behind() {
      return untakenBytes > 0;
    },
    onLeave(tell) {
      scope.on(response, 'close', () => {
        if (!response.writableFinished) tell();
      });
    },
    send(bytes, taken) {
      if (!response.headersSent) response.writeHead(200, { 'Content-Type': CONTENT_TYPES[format] });
      untakenBytes += bytes.length;
      response.write(bytes, (error) => {
        untakenBytes -= bytes.length;
        if (!error) taken();
        if (untakenBytes === 0) whenTaken?.();
      });
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
    async breakOff() {
      if (untakenBytes > 0 && !response.destroyed) {
        await new Promise<void>((resolve) => {
          whenTaken = resolve;
          scope.on(response, 'close', resolve);
        });
      }
      response.destroy();
    },
  };
}
