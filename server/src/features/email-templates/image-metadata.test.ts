import { describe, expect, test } from 'vitest';
import { jpegOf, pngChunk, segment, tiff } from '../../../test/image-parts.ts';
import { DOT } from '../../../test/images.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { imageKind } from './image-kind.ts';
import { withoutMetadata } from './image-metadata.ts';

const RUNS = process.env.LONG_TESTS ? 200_000 : 5000;
const SECRET = 'taken at home';

const jpeg = (content: Buffer) => withoutMetadata(content, 'image/jpeg');
const png = (content: Buffer) => withoutMetadata(content, 'image/png');

describe('a JPEG', () => {
  const icc = segment(0xe2, 'ICC_PROFILE\0\u0001\u0001profile');
  const adobe = segment(0xee, 'Adobe\0d\0\0\0\0\u0001');

  test('a JPEG loses application segments and comments, and preserves its colours', () => {
    const plain = jpegOf([icc, adobe]);
    const full = jpegOf([
      segment(0xe1, `Exif\0\0${SECRET}`),
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`),
      icc,
      segment(0xe2, `MPF\0${SECRET}`),
      segment(0xed, `Photoshop 3.0\0${SECRET}`),
      adobe,
      segment(0xee, `Other${SECRET}`),
      segment(0xfe, SECRET),
      segment(0xef, SECRET),
    ]);
    expect(jpeg(full)!.equals(plain)).toBe(true);
    expect(jpeg(plain)!.equals(plain)).toBe(true);
  });

  test('a JPEG loses them also between its scans and after its end, and none of its pixels', () => {
    const [head, scan] = [jpegOf([]).subarray(0, -2), segment(0xda, 'scan')];
    const pixels = Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xff, 0, 4]);
    const end = Buffer.from([0xff, 0xd9]);
    const full = Buffer.concat([
      head,
      scan,
      pixels,
      segment(0xfe, SECRET),
      scan,
      pixels,
      end,
      Buffer.from(`${SECRET}: the image before it was cropped`),
    ]);
    expect(jpeg(full)!.equals(Buffer.concat([head, scan, pixels, scan, pixels, end]))).toBe(true);
  });

  test.each([2, 3, 6, 8])('a JPEG preserves its orientation (%i) only', (orientation) => {
    for (const order of ['II', 'MM'] as const) {
      const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff(order, orientation), Buffer.from(SECRET)]);
      const cleaned = jpeg(jpegOf([segment(0xe1, exif), segment(0xe1, exif)]))!;
      const only = Buffer.concat([Buffer.from('Exif\0\0'), tiff('MM', orientation)]);
      expect(cleaned.equals(jpegOf([segment(0xe1, only)]))).toBe(true);
      expect(jpeg(cleaned)!.equals(cleaned)).toBe(true);
      expect(imageKind(cleaned)).toEqual({ type: 'image/jpeg', width: 5, height: 7 });
    }
  });

  test.each([0, 1, 9, 65_535])('a JPEG ignores an orientation of %i', (orientation) => {
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff('II', orientation)]);
    expect(jpeg(jpegOf([segment(0xe1, exif)]))!.equals(jpegOf([]))).toBe(true);
  });

  test.each<[string, Buffer]>([
    ['a segment that is longer than the file', Buffer.from('ffd8ffe1ffff00', 'hex')],
    ['a segment without a length', Buffer.from('ffd8ffe1', 'hex')],
    ['a segment of length 1', Buffer.from('ffd8ffe10001ffd9', 'hex')],
    ['no marker where one has to be', Buffer.from('ffd800e1', 'hex')],
    ['a second beginning', Buffer.from('ffd8ffd8', 'hex')],
  ])('a JPEG with %s is damaged', (_what, content) => {
    expect(jpeg(content)).toBeNull();
  });
});

describe('a PNG', () => {
  const [head, rest] = [DOT.subarray(0, 33), DOT.subarray(33)];
  const withChunks = (...chunks: Buffer[]) => Buffer.concat([head, ...chunks, rest]);

  test('a PNG loses texts, times, EXIF and data after its end, and preserves its colours', () => {
    const gamma = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
    const secrets = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf'].map((type) =>
      pngChunk(type, Buffer.from(SECRET)),
    );
    const full = Buffer.concat([withChunks(...secrets, gamma, ...secrets), Buffer.from(SECRET)]);
    expect(png(full)!.equals(withChunks(gamma))).toBe(true);
    expect(png(DOT)!.equals(DOT)).toBe(true);
  });

  test('a PNG preserves its orientation', () => {
    const full = withChunks(pngChunk('eXIf', Buffer.concat([tiff('II', 6), Buffer.from(SECRET)])));
    expect(png(full)!.equals(withChunks(pngChunk('eXIf', tiff('MM', 6))))).toBe(true);
  });

  test.each<[string, Buffer]>([
    ['without an end', DOT.subarray(0, -12)],
    ['that is cut off', DOT.subarray(0, -1)],
    [
      'with an end that is longer than the file',
      Buffer.concat([DOT.subarray(0, -12), Buffer.from('0000000149454e44ae426082', 'hex')]),
    ],
    [
      'with a chunk that is longer than the file',
      Buffer.concat([head, Buffer.from('ffffffff74455874', 'hex'), rest]),
    ],
  ])('a PNG with %s is refused as damaged', (_what, content) => {
    expect(png(content)).toBeNull();
  });
});

test('the removal of metadata leaves a GIF unchanged', () => {
  const gif = Buffer.from('GIF89a');
  expect(withoutMetadata(gif, 'image/gif')).toBe(gif);
});

test(`the removal of metadata rejects or cleans ${RUNS} randomly damaged images at once`, () => {
  const random = seededRandom('image metadata');
  const below = (most: number) => Math.floor(random() * most);
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff('II', 6)]);
  const whole = [
    jpegOf([segment(0xe1, exif), segment(0xfe, SECRET), segment(0xda, 'scan and pixels')]),
    Buffer.concat([
      DOT.subarray(0, 33),
      pngChunk('eXIf', tiff('MM', 3)),
      pngChunk('tEXt', Buffer.from(SECRET)),
      DOT.subarray(33),
    ]),
  ];
  let cleaned = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const which = below(2);
    let content = Buffer.from(whole[which]!);
    for (let change = 1 + below(4); change > 0; change -= 1) {
      const at = 2 + below(content.length - 2);
      const kind = below(3);
      if (kind === 0) content[at] = below(4) === 0 ? 0xff : below(256);
      else if (kind === 1) content = content.subarray(0, Math.max(12, at));
      else
        content = Buffer.concat([
          content.subarray(0, at),
          content.subarray(below(at)),
          Buffer.alloc(below(3), 0xff),
        ]);
    }
    const once = withoutMetadata(content, which === 0 ? 'image/jpeg' : 'image/png');
    if (!once) continue;
    cleaned += 1;
    // A cleaned image has no more metadata.
    expect(
      withoutMetadata(once, which === 0 ? 'image/jpeg' : 'image/png')?.equals(once),
      content.toString('hex'),
    ).toBe(true);
    expect(once.length).toBeLessThanOrEqual(content.length + 36);
  }
  expect(cleaned).toBeGreaterThan(RUNS / 20);
});

test('the removal of metadata takes linear time', () => {
  // With quadratic time this would take minutes: longer than the limit of a test.
  const empty = Buffer.alloc(2_000_000);
  for (let at = 0; at < empty.length; at += 4) empty.set([0xff, 0xe1, 0, 2], at);
  const begin = Buffer.from([0xff, 0xd8]);
  expect(jpeg(Buffer.concat([begin, empty]))).toEqual(begin);
  expect(jpeg(Buffer.concat([begin, Buffer.alloc(2_000_000, 0xff)]))).toBeNull();
  expect(png(Buffer.concat([DOT.subarray(0, 33), Buffer.alloc(2_000_000)]))).toBeNull();
});
