/** A field of a body that is missing, or not what it must be. */
export class FieldFault extends Error {}

export interface TextLimits {
  maxCharacters: number;
}

const LINE: TextLimits = { maxCharacters: 200 };

/** The fields of a JSON body, each read once by its name; what is left is refused. */
export class Fields {
  readonly #left: Map<string, unknown>;

  /** @throws FieldFault when the body is no object. */
  constructor(body: unknown) {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new FieldFault('The body is no object.');
    this.#left = new Map(Object.entries(body));
  }

  line(name: string, limits?: TextLimits): string {
    const value = this.optionalLine(name, limits);
    if (value === undefined || value === '') throw new FieldFault(`${name} is missing.`);
    return value;
  }

  /** A line without the whitespace around it, and without control characters. */
  optionalLine(name: string, { maxCharacters } = LINE): string | undefined {
    const value = this.#take(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' || value.length > maxCharacters || /\p{Cc}/u.test(value)) {
      throw new FieldFault(`${name} is not a line of at most ${maxCharacters} characters.`);
    }
    return value.trim();
  }

  /** A secret as it was typed. */
  secret(name: string): string {
    const value = this.#take(name);
    if (typeof value !== 'string' || value === '' || value.length > SECRET_MAX_CHARACTERS) {
      throw new FieldFault(`${name} is missing or too long.`);
    }
    return value;
  }

  optionalBoolean(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw new FieldFault(`${name} is neither true nor false.`);
  }

  /** @throws FieldFault naming a field that nothing has read. */
  end(): void {
    const [name] = this.#left.keys();
    if (name !== undefined) throw new FieldFault(`There is no field ${name.slice(0, LINE.maxCharacters)}.`);
  }

  #take(name: string): unknown {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }
}

const SECRET_MAX_CHARACTERS = 1024;
