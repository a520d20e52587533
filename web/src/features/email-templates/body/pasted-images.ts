import { IMAGE_BYTES, IMAGE_TYPES } from '@forecourt/contract/image-limits';
import type { ResolvedPos } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { Extension, type Editor } from '@tiptap/react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { newKey } from '../../../platform/ids.ts';
import { texts } from '../../../texts/email-templates.ts';
import { toastDone, toastFailed } from '../../../ui/toasts.ts';
import { addImage } from '../email-templates.queries.ts';
import { shownWidth } from './image-width.ts';

type Change = { add: string; at: number; element: HTMLElement } | { remove: string };

/** Where images will be that are still on their way. They are no part of the document until they are there. */
const waiting = new PluginKey<DecorationSet>('waitingImages');

const placeOf = (editor: Editor, key: string): number | undefined =>
  waiting.getState(editor.state)?.find(undefined, undefined, (spec) => spec['key'] === key)[0]?.from;

/** The nearest place behind this one where an image may stand; before an empty line, which stays below. */
function placeForImage($pos: ResolvedPos): number {
  const { image } = $pos.doc.type.schema.nodes;
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const index = $pos.indexAfter(depth - 1);
    if (!$pos.node(depth - 1).canReplaceWith(index, index, image!)) continue;
    return $pos.node(depth).content.size === 0 ? $pos.before(depth) : $pos.after(depth);
  }
  return $pos.pos;
}

/** What stands where an image will be: it tells how far the upload is. */
function placeholder(name: string) {
  const element = document.createElement('div');
  const bar = document.createElement('progress');
  bar.max = 100;
  bar.value = 0;
  bar.setAttribute('aria-label', texts.imageUploading(name));
  element.className = 'image-upload';
  element.append(texts.imageUploading(name), bar);
  return { element, tell: (percent: number) => void (bar.value = percent) };
}

function reasonAgainst({ type, size }: File): string | null {
  return (IMAGE_TYPES as readonly string[]).includes(type) && size <= IMAGE_BYTES ? null : texts.imageHint;
}

/** Shows where an image will be. Undefined: it is refused, and was told so. */
function begin(editor: Editor, file: File, at: number) {
  const refused = reasonAgainst(file);
  if (refused !== null) {
    toastFailed(null, texts.imageRefused(file.name, refused));
    return undefined;
  }
  const key = newKey();
  const { element, tell } = placeholder(file.name);
  editor.view.dispatch(editor.state.tr.setMeta(waiting, { add: key, at, element } satisfies Change));
  return { file, key, tell };
}

/** Brings an image to the server and puts it where its place is by then; one that is refused says why. */
async function upload(
  editor: Editor,
  { file, key, tell }: NonNullable<ReturnType<typeof begin>>,
  signal: AbortSignal,
): Promise<void> {
  const over = () => editor.state.tr.setMeta(waiting, { remove: key } satisfies Change);
  try {
    const { _id, width } = await addImage(file, { onProgress: tell, signal });
    const place = signal.aborted ? undefined : placeOf(editor, key);
    // Whoever deleted the text around it does not want it any more.
    if (place === undefined) return;
    const attrs = { imageId: _id, alt: descriptionOf(file.name), width: shownWidth(width) };
    editor.view.dispatch(over().insert(place, editor.schema.nodes['image']!.create(attrs)));
    toastDone(texts.imageAdded);
  } catch (thrown) {
    if (signal.aborted) return;
    editor.view.dispatch(over());
    const said = thrown instanceof ApiError ? thrown.errors['image'] : undefined;
    toastFailed(null, texts.imageRefused(file.name, said ?? messageOf(thrown)));
  }
}

/** What the name of a file says, for a start. What is copied from a screen has none. */
function descriptionOf(name: string): string {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[\p{C}_]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed();
  return words === '' ? texts.image : words;
}

/** Images from files that are pasted or dropped into the text. */
export const PastedImages = Extension.create({
  name: 'pastedImages',
  addProseMirrorPlugins() {
    const { editor } = this;
    const leaving = new AbortController();
    editor.on('destroy', () => leaving.abort());

    /** They come in their order: the places of those that wait move behind what is put there. */
    async function addAll(files: readonly File[], position: number): Promise<void> {
      const at = placeForImage(editor.state.doc.resolve(position));
      const begun = files.map((file) => begin(editor, file, at)).filter((one) => one !== undefined);
      for (const one of begun) if (!leaving.signal.aborted) await upload(editor, one, leaving.signal);
    }

    return [
      new Plugin<DecorationSet>({
        key: waiting,
        state: {
          init: () => DecorationSet.empty,
          apply(transaction, known) {
            const mapped = known.map(transaction.mapping, transaction.doc);
            const change = transaction.getMeta(waiting) as Change | undefined;
            if (!change) return mapped;
            if ('remove' in change)
              return mapped.remove(mapped.find(undefined, undefined, ({ key }) => key === change.remove));
            const { add: key, at, element } = change;
            return mapped.add(transaction.doc, [Decoration.widget(at, element, { key })]);
          },
        },
        props: {
          decorations: (state) => waiting.getState(state),
          handlePaste(view, event) {
            const { files = [], types = [] } = event.clipboardData ?? {};
            // Spreadsheets and word processors add a picture of what their text says.
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
