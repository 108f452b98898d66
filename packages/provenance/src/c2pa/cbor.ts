import { CarrierError } from '../piece-reader';

export type Cbor = number | bigint | boolean | null | undefined | string | Buffer | Cbor[] | CborMap;
export type CborMap = Map<unknown, Cbor>;

const MAX_DEPTH = 32;
/** Decoded in a few milliseconds. Claims and actions of writers have some hundreds. */
const MAX_ITEMS = 10_000;
const [UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG] = [0, 1, 2, 3, 4, 5, 6];

/** Reads one CBOR value with definite lengths, which C2PA requires. Tags are passed over. @throws CarrierError */
export function decodeCbor(bytes: Buffer): Cbor {
  return new Decoder(bytes).value(0);
}

class Decoder {
  readonly #bytes: Buffer;
  #at = 0;
  #items = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  value(depth: number): Cbor {
    if (depth > MAX_DEPTH) throw new CarrierError('its CBOR is nested too deeply');
    this.#items += 1;
    if (this.#items > MAX_ITEMS) throw new CarrierError(`its CBOR has more than ${MAX_ITEMS} items`);
    const first = this.#take(1).readUInt8(0);
    const kind = first >> 5;
    if (kind === 7) return this.#simple(first & 0x1f);
    const count = this.#count(first & 0x1f);
    switch (kind) {
      case UNSIGNED:
        return count;
      case NEGATIVE:
        return -1 - count;
      case BYTES:
        return this.#take(count);
      case TEXT:
        return this.#take(count).toString('utf8');
      case ARRAY:
        return this.#array(count, depth);
      case MAP:
        return this.#map(count, depth);
      case TAG:
        return this.value(depth + 1);
      default:
        throw new CarrierError('its CBOR is of an unknown kind');
    }
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new CarrierError('its CBOR is cut off');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #count(info: number): number {
    if (info < 24) return info;
    if (info === 24) return this.#take(1).readUInt8(0);
    if (info === 25) return this.#take(2).readUInt16BE(0);
    if (info === 26) return this.#take(4).readUInt32BE(0);
    if (info === 27) return Number(this.#take(8).readBigUInt64BE(0));
    throw new CarrierError('its CBOR has an indefinite length');
  }

  #array(count: number, depth: number): Cbor[] {
    const items: Cbor[] = [];
    for (let item = 0; item < count; item += 1) items.push(this.value(depth + 1));
    return items;
  }

  #map(count: number, depth: number): CborMap {
    const map: CborMap = new Map();
    for (let entry = 0; entry < count; entry += 1) {
      const key = this.value(depth + 1);
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #simple(info: number): Cbor {
    if (info === 20 || info === 21) return info === 21;
    if (info === 22) return null;
    if (info === 23) return undefined;
    if (info === 26) return this.#take(4).readFloatBE(0);
    if (info === 27) return this.#take(8).readDoubleBE(0);
    if (info === 25) {
      // No field that is read here is a half float.
      this.#take(2);
      return undefined;
    }
    throw new CarrierError('its CBOR has a value of an unknown kind');
  }
}

export function asMap(value: Cbor): CborMap | undefined {
  return value instanceof Map ? value : undefined;
}

export function asText(value: Cbor): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asBytes(value: Cbor): Buffer | undefined {
  return Buffer.isBuffer(value) ? value : undefined;
}

export function asList(value: Cbor): Cbor[] {
  return Array.isArray(value) ? value : [];
}
