import { inflateRawSync } from 'node:zlib';

/*
 * Files of `packages/media/test/hostile-files.ts`, packed: `endlessRun()`, `lyingCues(60, 60)`, `wav()`.
 */
const unpack = (packed: string): Buffer => inflateRawSync(Buffer.from(packed, 'base64'));

/** An MP4 of 2.6 KB that names 4,294,967,295 samples. */
export const ENDLESS_RUN = unpack(
  '7ZA9TsQwEIVfkmJbF1tQQrctHSUlJQ1UNCZek2gza+QZLOBYaCtqDsERuEWQjRZ5fwBRruRPmtjznPi9CYCplaf7nh0BwNdaN+Rc' +
    'ADBQ6Aw2aD5SVZvqX/05fqUGqjvxegHgRhbJc7J7W/T+v28VH6t02JDpNYBjMvvnunpLzUlnBr8+Cb2Zb9u+Ur+0AF5YbgcAloVN' +
    'FuFah/b0h4gx0AoXQKq9b+xwNI4AFItwpioWbrN+ysLPW18qltZl/YzC/DH+AvFpXfvHmmVZLsm5OKEi2+WTnYnXSZeo19+6Emsk' +
    '9xX/sIybcYzZJ+9ktKBQKBQKhcLB8wk=',
);

/** A WebM of 6 KB each of whose cues leads a reader through all of its clusters in vain. */
export const LYING_CUES = unpack(
  'nde7L4NRHMbx06pbr4pe9d6qtnrRG9q69ELEgqTEKJFgEJOItanEv2GwsEhEMHT2N3QUk9kkMUk4bxkq8jzv9Dvv+XzPedfXufx8' +
    'qRJfj7HalJPmdG/3yF5vHHyvbR+W1et9uWeKtW8VJkzVsnXz5lCut2/ksNaWg0p1/NQZz5RJfS6nvsrO+sZW/UUubffKwSulhrjo' +
    'cFe9Ja/QX7Xk28Rd5yOE0D4qJ7x3bnv72TdkulY6qtJTlYGqjFRloqohqjJT1TBVjVDVKFVZqMpKVTaqslOVg6qcVDVGVS6qclOV' +
    'h6q8VOWjKj9VBagqSFUhqhqnqjBVTVBVhKqiVBWjqkmqilNVgqqSVJWiqimqSlNVhqqyVJWjqjxVTVPVDFXNUlWBqopUVaKqOaqa' +
    'p6oFqlqkqjJVVaiqSlU1qlqiquX/Km/t4USuA6+/QqH8bembQjSEfP7SKkirId0DaQ2keyHdB+l+SA9AehDSWkjrIK2HtAHSRkib' +
    'ID0EaTOkhyE9AulRSFsgbYW0DdJ2SDsg7YT0GKRdkHZD2gNpL6R9kPZDOgDpIKRDkB6HdBjSE5COQDoK6RikJyEdh3QC0klIpyA9' +
    'Bek0pDOQzkI6B+k8pKchPQPpWUgXIF2EdKmr/gQ=',
);

/** A good sound of 4 KB. */
export const SOUND = unpack('7cGxDUBAGIDRj+jdCFZRuESroL5EdLobwCj2MNwvMYXie2+Zc46I2MZ1Os46JKCh5Xr4dCT2UsvdI0mSJEmSfuAF');
