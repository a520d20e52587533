declare module 'unbzip2-stream' {
  /** Takes what bzip2 has packed and gives what it was. */
  export default function unbzip2Stream(): NodeJS.ReadWriteStream;
}
