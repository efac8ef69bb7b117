import { describe, expect, it } from "vitest";

import { Player } from "./player";

describe("Player", () => {
  it("plays at its speed and loops", () => {
    const player = new Player(0, 10, 0.1);
    player.toggle();
    player.advance(0.25);
    expect(player.moment).toBeCloseTo(2.5);
    expect(player.frame).toBe(2);
    player.speed = 2;
    player.advance(0.5);
    expect(player.moment).toBeCloseTo(2.5); // 12.5 is 2.5 after the start
    expect(player.playing).toBe(true);
  });

  it("stops at the end without loop, and begins anew", () => {
    const player = new Player(5, 10, 0.1);
    player.loop = false;
    player.toggle();
    player.advance(9);
    expect([player.frame, player.playing]).toEqual([10, false]);
    player.toggle();
    expect(player.frame).toBe(5);
  });

  it("steps to whole frames and stops", () => {
    const player = new Player(0, 10, 0.1);
    player.toggle();
    player.advance(0.25);
    player.step(1);
    expect([player.moment, player.playing]).toEqual([3, false]);
    player.seek(2.5);
    player.step(-1);
    expect(player.moment).toBe(2);
    player.step(-9);
    expect(player.moment).toBe(0);
  });

  it("has speeds to choose from, and stays within them", () => {
    const player = new Player(0, 10, 0.1);
    player.changeSpeed(-1);
    expect(player.speed).toBe(0.5);
    for (let i = 0; i < 20; ++i) player.changeSpeed(1);
    expect(player.speed).toBe(4);
  });

  it("can show a single frame", () => {
    const player = new Player(3, 3, 0.1);
    player.toggle();
    expect(player.advance(1)).toBe(false);
    expect(player.frame).toBe(3);
  });
});
