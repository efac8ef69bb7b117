import type { Vec3 } from "../core/recording";
import type { Stage } from "../stage/contract";

/** Files that are dropped anywhere on the page; `at`: where on the stage. */
export function listenForDrops(
  stageArea: HTMLElement,
  stage: Stage,
  dropped: (files: readonly File[], at: Vec3 | undefined) => void,
): void {
  const over = (on: boolean): void => void stageArea.classList.toggle("drop-target", on);
  window.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault(); // otherwise the browser leaves the page
    over(true);
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const box = stage.canvas.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom;
    dropped([...(event.dataTransfer?.files ?? [])], inside ? stage.placeAt(event.clientX - box.left, event.clientY - box.top) : undefined);
  });
}
