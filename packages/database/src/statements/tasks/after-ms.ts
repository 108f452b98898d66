/** The time so many milliseconds from now; the parameter may be a fraction. */
export const afterMs = (parameter: string) => `now() + make_interval(secs => ${parameter}::float8 / 1000)`;

/** The time so many milliseconds ago. */
export const beforeMs = (parameter: string) => `now() - make_interval(secs => ${parameter}::float8 / 1000)`;

/** The least time-ordered id of so many milliseconds ago, by the database's clock: what is older sorts before it. */
export const idBeforeMs = (parameter: string) => `first_id_at(${beforeMs(parameter)})`;
