import type { OperatorOperationId } from '@mediagate/api/operators-router';
import type { Json, JsonObject } from '@mediagate/contracts';
import type { Session } from '../session';

/** A command that asks a route of operators, as data. `route-command.ts` makes a command of it. */
export interface RoutedCommand {
  about: string;
  /** The route, by the id of its operation; where there are two, by what was given. */
  calls: OperatorOperationId | ((given: Given) => OperatorOperationId);
  /** Arguments and options by their flags, as commander writes them: `<id>`, `--name <text>`. */
  takes?: Readonly<Record<string, string | Taken>>;
  /** Fields that the command says by itself. */
  says?: JsonObject | ((given: Given, session: Session) => JsonObject | Promise<JsonObject>);
  /** Makes what is printed in place of the answer. */
  completes?(answer: JsonObject, command: Completing): Promise<JsonObject> | JsonObject;
  /** The configuration file must be right. */
  readsFile?: boolean;
  /** The text for people: a sentence, or the columns of a table by their headings. */
  shows: Columns | ((answer: JsonObject, given: Given) => string);
  /** True: there is something to mend, and the process ends with code 1. */
  isFaulty?(answer: JsonObject): boolean;
}

/** An argument or an option. A text in its place is what help says of it. */
export interface Taken {
  about: string;
  /** The field of the path, the query or the body; default: its name with `_` for `-`. Null: none, `completes` reads it. */
  field?: string | null;
  choices?: readonly string[];
  required?: true;
  fallback?: string;
  /** Values are separated by commas, and it may be given several times. */
  isList?: true;
  /** The value that an option without one stands for; default: true. */
  means?: Json;
  /** The word that says null: no limit, or what counts where nothing is set. */
  unset?: string;
  /** Reads what the field does not take as it is. Throws InvalidArgumentError. */
  read?(text: string): Json;
  /** Finds what the text stands for, which may take another route. */
  find?(text: string, command: Pick<Completing, 'session' | 'ask'>): Promise<Json>;
}

/** The values that were given, by the names of arguments and options. */
export type Given = Readonly<Record<string, Json | undefined>>;

export interface Completing {
  session: Session;
  given: Given;
  ask: Ask;
}

/** Asks a route with fields of its path, query and body. Resolves to the answer without its `code`. Throws RouteRefusal. */
export type Ask = (operation: OperatorOperationId, fields?: Given) => Promise<JsonObject>;

/** A field of each row, or what makes the cell of it. */
export type Columns = Readonly<Record<string, string | ((row: JsonObject) => Json | undefined)>>;

/** An argument or option with the name of what was given for it. */
export interface TakenWord extends Taken {
  flags: string;
  /** The name, with `-` between words. */
  name: string;
}

export interface GivenWords {
  taken: readonly TakenWord[];
  /** The values by the names of `taken`. */
  given: Readonly<Record<string, Json | undefined>>;
}

/** Null, which commander takes for no value. */
export const UNSET: Json = { unset: true };
