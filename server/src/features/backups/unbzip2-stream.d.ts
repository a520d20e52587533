declare module 'unbzip2-stream/lib/bzip2.js' {
  type TakeBits = (count: number | null) => number;

  const bzip2: {
    /** Reads the header of a stream. Returns the block size in units of 100,000 bytes. */
    header(take: TakeBits): number;
    /** Decompresses one block. Returns the checksum so far; null at the end, after verifying the checksum. */
    decompress(
      take: TakeBits,
      add: (byte: number) => void,
      block: Int32Array,
      blockBytes: number,
      checksum: number,
    ): number | null;
  };
  export default bzip2;
}
