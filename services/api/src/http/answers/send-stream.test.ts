import { PassThrough, Readable } from 'node:stream';
import type { Response } from 'express';
import { CallerLeftError } from '../../use-cases/caller-connection';
import { sendStream } from './send-stream';

/** Nobody reads it, so that what is sent to it waits. */
function openResponse(): Response {
  return new PassThrough({ highWaterMark: 1 }) as unknown as Response;
}

const endless = () => new Readable({ read: () => undefined });

describe('a stream whose caller hangs up', () => {
  it('before its first byte ends with that, and not with a fault', async () => {
    const response = openResponse();
    response.destroy();
    await expect(sendStream(endless(), response)).rejects.toBeInstanceOf(CallerLeftError);
  });

  it('in the middle ends with that, too, and is closed', async () => {
    const [content, response] = [endless(), openResponse()];
    const sent = sendStream(content, response);
    content.push('a');
    response.destroy();
    await expect(sent).rejects.toBeInstanceOf(CallerLeftError);
    expect(content.destroyed).toBe(true);
  });
});

it('a fault of the content is reported as it is', async () => {
  const [content, fault] = [endless(), new Error('the disk is gone')];
  const sent = sendStream(content, openResponse());
  content.destroy(fault);
  await expect(sent).rejects.toBe(fault);
});
