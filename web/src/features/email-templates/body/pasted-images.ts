import { MAX_IMAGE_BYTES, IMAGE_TYPES } from '@forecourt/contract/image-limits';
import type { ResolvedPos } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { Extension, type Editor } from '@tiptap/react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { newKey } from '../../../platform/ids.ts';
import { texts } from '../../../texts/email-templates.ts';
import { toastDone, toastFailed } from '../../../ui/toasts.ts';
import { addImage } from '../email-templates.queries.ts';
import { imageAttributes } from './ImageBlock.tsx';

type Change = { add: string; at: number; element: HTMLElement } | { remove: string };

/** Placeholders of images being uploaded. They are decorations, not part of the document. */
const uploads = new PluginKey<DecorationSet>('uploadingImages');

const placeOf = (editor: Editor, key: string): number | undefined =>
  uploads.getState(editor.state)?.find(undefined, undefined, (spec) => spec['key'] === key)[0]?.from;

/** Returns the nearest valid position for an image after this position. An empty line stays below the image. */
function placeForImage($pos: ResolvedPos): number {
  const { image } = $pos.doc.type.schema.nodes;
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const index = $pos.indexAfter(depth - 1);
    if (!$pos.node(depth - 1).canReplaceWith(index, index, image!)) continue;
    return $pos.node(depth).content.size === 0 ? $pos.before(depth) : $pos.after(depth);
  }
  return $pos.pos;
}

function createPlaceholder(name: string) {
  const element = document.createElement('div');
  const bar = document.createElement('progress');
  bar.max = 100;
  bar.value = 0;
  bar.setAttribute('aria-label', texts.imageUploading(name));
  element.className = 'image-upload';
  element.append(texts.imageUploading(name), bar);
  return { element, setProgress: (percent: number) => void (bar.value = percent) };
}

const isAccepted = ({ type, size }: File): boolean =>
  (IMAGE_TYPES as readonly string[]).includes(type) && size <= MAX_IMAGE_BYTES;

/** Inserts a placeholder. Returns undefined and shows a toast if the file is refused. */
function begin(editor: Editor, file: File, at: number) {
  if (!isAccepted(file)) {
    toastFailed(null, texts.imageRefused(file.name, texts.imageHint));
    return undefined;
  }
  const key = newKey();
  const { element, setProgress } = createPlaceholder(file.name);
  editor.view.dispatch(editor.state.tr.setMeta(uploads, { add: key, at, element } satisfies Change));
  return { file, key, setProgress };
}

/** Uploads an image and inserts it at the current position of its placeholder. A toast shows a refusal. */
async function upload(
  editor: Editor,
  { file, key, setProgress }: NonNullable<ReturnType<typeof begin>>,
  signal: AbortSignal,
): Promise<void> {
  const removePlaceholder = () => editor.state.tr.setMeta(uploads, { remove: key } satisfies Change);
  try {
    const image = await addImage(file, { onProgress: setProgress, signal });
    const place = signal.aborted ? undefined : placeOf(editor, key);
    // The user has deleted the placeholder's text during the upload.
    if (place === undefined) return;
    const attrs = imageAttributes(image, descriptionOf(file.name));
    editor.view.dispatch(removePlaceholder().insert(place, editor.schema.nodes['image']!.create(attrs)));
    toastDone(texts.imageAdded);
  } catch (thrown) {
    if (signal.aborted) return;
    editor.view.dispatch(removePlaceholder());
    const message = thrown instanceof ApiError ? thrown.errors['image'] : undefined;
    toastFailed(null, texts.imageRefused(file.name, message ?? messageOf(thrown)));
  }
}

/** Returns a description from the file name, or else a general text. */
function descriptionOf(name: string): string {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[\p{C}_]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed();
  return words === '' ? texts.image : words;
}

/** Uploads image files that are pasted or dropped into the text. */
export const PastedImages = Extension.create({
  name: 'pastedImages',
  addProseMirrorPlugins() {
    const { editor } = this;
    const leaving = new AbortController();
    editor.on('destroy', () => leaving.abort());

    /** Adds the files in order: each insertion moves later placeholders. */
    async function addAll(files: readonly File[], position: number): Promise<void> {
      const at = placeForImage(editor.state.doc.resolve(position));
      const begun = files.map((file) => begin(editor, file, at)).filter((one) => one !== undefined);
      for (const one of begun) if (!leaving.signal.aborted) await upload(editor, one, leaving.signal);
    }

    return [
      new Plugin<DecorationSet>({
        key: uploads,
        state: {
          init: () => DecorationSet.empty,
          apply(transaction, decorations) {
            const mapped = decorations.map(transaction.mapping, transaction.doc);
            const change = transaction.getMeta(uploads) as Change | undefined;
            if (!change) return mapped;
            if ('remove' in change)
              return mapped.remove(mapped.find(undefined, undefined, ({ key }) => key === change.remove));
            const { add: key, at, element } = change;
            return mapped.add(transaction.doc, [Decoration.widget(at, element, { key })]);
          },
        },
        props: {
          decorations: (state) => uploads.getState(state),
          handlePaste(view, event) {
            const { files = [], types = [] } = event.clipboardData ?? {};
            // Text has precedence, because spreadsheets and word processors also copy a picture of it.
            if (files.length === 0 || types.includes('text/plain')) return false;
            void addAll([...files], view.state.selection.from);
            return true;
          },
          handleDrop(view, event) {
            const files = [...(event.dataTransfer?.files ?? [])];
            if (files.length === 0) return false;
            event.preventDefault();
            const position = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            void addAll(files, position ?? view.state.doc.content.size);
            return true;
          },
        },
      }),
    ];
  },
});
