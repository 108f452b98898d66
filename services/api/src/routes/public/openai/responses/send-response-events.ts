import type { JsonObject } from '@mediagate/contracts';
import { chatSignature } from '@mediagate/upstreams';
import { beginStream } from '../../../../http/answers/event-comments';
import { memorySpent } from '../../../../http/body/byte-shares';
import type { Exchange } from '../../../../http/exchange';
import { drained, readEvents, type SendAnswer } from '../../text/send-answer';
import { handedOut, type MadeCall, readPiece, type TextUsage } from '../text-piece';
import { type AskedResponse, callItem, createResponseRecord, messageItem, textPart } from './response-record';

/** Sends each piece as soon as it has come, as the events of a response. */
export function createSendResponseEvents(asked: AskedResponse): SendAnswer {
  return async (answer, { exchange, meter }) => {
    const events = new ResponseEvents(exchange, asked);
    await readEvents(answer, meter, (_event, piece) => events.write(piece));
    events.end();
  };
}

/** One stream of events. Its last ones repeat all that was said, which is kept until then. */
class ResponseEvents {
  readonly #exchange: Pick<Exchange, 'response' | 'memory'>;
  readonly #asked: AskedResponse;
  readonly #record: ReturnType<typeof createResponseRecord>;
  readonly #output: JsonObject[] = [];
  #number = 0;
  #events = '';
  /** The text so far of the message that is being said. */
  #saying: string | undefined;
  #calls = 0;
  #signature: string | undefined;
  #finishReason = 'stop';
  #usage: TextUsage | undefined;

  constructor(exchange: Pick<Exchange, 'response' | 'memory'>, asked: AskedResponse) {
    this.#exchange = exchange;
    this.#asked = asked;
    this.#record = createResponseRecord(asked, exchange.response);
  }

  /** Resolves when the caller reads on; undefined: the caller has not stopped reading. */
  write(piece: JsonObject): Promise<void> | undefined {
    const { response } = this.#exchange;
    const { text, signature, calls, finishReason, usage } = readPiece(piece);
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#signature = signature ?? this.#signature;
    this.#usage = usage ?? this.#usage;
    this.#begin();
    if (text !== '') this.#say(text);
    for (const call of handedOut(calls, this.#asked.parallelToolCalls, this.#calls)) this.#call(call);
    const events = this.#take();
    return events === '' || response.write(events) ? undefined : drained(response);
  }

  end(): void {
    this.#endMessage();
    const state = { output: this.#output, finishReason: this.#finishReason, usage: this.#usage };
    const record = this.#record(state);
    this.#add(`response.${String(record['status'])}`, { response: record });
    this.#exchange.response.end(this.#take());
  }

  #begin(): void {
    if (this.#number > 0) return;
    beginStream(this.#exchange.response);
    const record = this.#record({ output: [] });
    this.#add('response.created', { response: record });
    this.#add('response.in_progress', { response: record });
  }

  #say(delta: string): void {
    const place = this.#output.length;
    if (this.#saying === undefined) {
      this.#saying = '';
      this.#add('response.output_item.added', { output_index: place, item: this.#message(undefined) });
      this.#add('response.content_part.added', { ...this.#part(), part: textPart('') });
    }
    if (this.#exchange.memory.take(delta.length) !== undefined) throw memorySpent();
    this.#saying += delta;
    this.#add('response.output_text.delta', { ...this.#part(), delta, logprobs: [] });
  }

  #endMessage(): void {
    const text = this.#saying;
    if (text === undefined) return;
    this.#add('response.output_text.done', { ...this.#part(), text, logprobs: [] });
    this.#add('response.content_part.done', { ...this.#part(), part: textPart(text) });
    this.#endItem({ ...this.#message(text), ...chatSignature(this.#signature) });
    this.#saying = undefined;
  }

  #call(call: MadeCall): void {
    this.#endMessage();
    this.#calls += 1;
    if (this.#exchange.memory.take(call.args.length) !== undefined) throw memorySpent();
    const place = this.#output.length;
    const item = callItem(this.#exchange.response, place, call);
    const begun = { ...item, status: 'in_progress', arguments: '' };
    this.#add('response.output_item.added', { output_index: place, item: begun });
    const of = { item_id: item['id'] ?? '', output_index: place };
    this.#add('response.function_call_arguments.delta', { ...of, delta: call.args });
    this.#add('response.function_call_arguments.done', { ...of, name: call.name, arguments: call.args });
    this.#endItem(item);
  }

  #endItem(item: JsonObject): void {
    this.#add('response.output_item.done', { output_index: this.#output.length, item });
    this.#output.push(item);
  }

  #message(text: string | undefined): JsonObject {
    return messageItem(this.#exchange.response, this.#output.length, text);
  }

  #part(): JsonObject {
    return { item_id: this.#message('')['id'] ?? '', output_index: this.#output.length, content_index: 0 };
  }

  #add(type: string, fields: JsonObject): void {
    this.#events += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#number, ...fields })}\n\n`;
    this.#number += 1;
  }

  #take(): string {
    const events = this.#events;
    this.#events = '';
    return events;
  }
}
