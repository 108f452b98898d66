/** The time so many milliseconds from now; the parameter may be a fraction. */
export const afterMs = (parameter: string) => `now() + make_interval(secs => ${parameter}::float8 / 1000)`;
