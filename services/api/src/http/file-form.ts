import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { type FileOnDisk, GatewayError, message } from '@mediagate/contracts';
import { FORM_OVERHEAD_BYTES } from '../request-limits';
import { invalid, missing } from '../use-cases/invalid';
import { describeBytes, followBody } from './body-bytes';
import type { Exchange } from './exchange';
import { malformedForm, openParser, pauseUntilDrained } from './multipart-form';
import { unreadable } from './unreadable';

export interface FileTarget {
  field: string;
  /** A file that is not there yet. */
  path: string;
  maxBytes: number;
  /** Undefined: so many bytes more may be written; else why not. */
  take(bytes: number): GatewayError | undefined;
}

/** One is written; a second one is needed to see that it is too many. */
const MAX_FILES = 2;

/**
 * Writes the one file of a form to the disk while it arrives: of the body no more is in memory than the disk has not taken yet. What
 * else the form has is dropped. After a failure the path may hold a part of the file.
 *
 * @throws GatewayError `body_too_large`, `invalid_request`, `unsupported_media_type`, and what `take` answers. CallerLeftError.
 */
export async function receiveFile(exchange: Exchange, target: FileTarget): Promise<FileOnDisk> {
  const parser = openParser(exchange.request, { maxFiles: MAX_FILES });
  const scope = exchange.scope.open();
  const receipt = new FileReceipt(parser, target, { ...exchange, scope });
  try {
    await followBody(exchange, target.maxBytes + FORM_OVERHEAD_BYTES, (chunk, brake) => {
      if (!parser.write(chunk)) pauseUntilDrained(brake, parser);
      receipt.throwFault();
    });
    parser.end();
    return await receipt.file();
  } finally {
    scope.close();
    parser.destroy();
    receipt.close();
  }
}

/** The part of the file that has arrived. The first fault decides; everything after it is dropped. */
class FileReceipt {
  readonly #target: FileTarget;
  readonly #parsed: Promise<void>;
  #end = (): void => undefined;
  readonly #body: Pick<Exchange, 'scope' | 'pace'>;
  #output: WriteStream | undefined;
  #written: Promise<void> | undefined;
  #totalBytes = 0;
  #fault: unknown;

  constructor(parser: BusboyInstance, target: FileTarget, body: Pick<Exchange, 'scope' | 'pace'>) {
    this.#target = target;
    this.#body = body;
    parser.on('file', (field, stream) => this.#receive(field, stream));
    parser.on('partsLimit', () => this.#fail(unreadable('form_too_many_parts')));
    this.#parsed = new Promise((resolve) => {
      this.#end = resolve;
    });
    parser.on('finish', () => this.#end());
    parser.on('error', () => this.#giveUp());
  }

  throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** The whole file, once the parser has received the end of the form and the disk that of the file. */
  async file(): Promise<FileOnDisk> {
    // A form whose parser waits for more, although it has all of the body, lacks something.
    this.#body.scope.after(this.#body.pace.periodMs, () => this.#giveUp());
    await this.#parsed;
    this.throwFault();
    if (this.#written === undefined) throw missing(this.#target.field, 'file_required');
    // Its part of the form has not ended.
    if (!this.#output?.writableEnded) throw malformedForm();
    await this.#written;
    this.throwFault();
    return { path: this.#target.path, totalBytes: this.#totalBytes };
  }

  close(): void {
    this.#output?.destroy();
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault;
  }

  #giveUp(): void {
    this.#fail(malformedForm());
    this.#end();
  }

  #receive(field: string, stream: BusboyFileStream): void {
    stream.on('error', () => this.#fail(malformedForm()));
    if (field !== this.#target.field) stream.resume();
    else if (this.#output === undefined) this.#write(stream);
    else {
      this.#fail(invalid(field, 'must_be_given_once'));
      stream.resume();
    }
  }

  #write(stream: BusboyFileStream): void {
    const output = createWriteStream(this.#target.path, { flags: 'wx', mode: 0o600 });
    this.#output = output;
    this.#written = finished(output).catch((error: unknown) => {
      this.#fail(error);
      stream.resume();
    });
    output.on('drain', () => stream.resume());
    stream.on('data', (chunk: Buffer) => {
      this.#fault ??= this.#refusalOf(chunk.length);
      if (this.#fault === undefined && !output.write(chunk)) stream.pause();
    });
    stream.on('end', () => output.end());
  }

  #refusalOf(bytes: number): GatewayError | undefined {
    const { field, maxBytes, take } = this.#target;
    this.#totalBytes += bytes;
    if (this.#totalBytes <= maxBytes) return take(bytes);
    return new GatewayError('body_too_large', message('form_file_too_large', { field, size: describeBytes(maxBytes) }));
  }
}
