"""Runs a scene in JuPedSim and says how much processor time its steps take.

The first line of the input is the scene as JSON. Every further line is a number of steps to take; the answer is one
line with the seconds of processor time and the number of agents that are left.
"""

import json
import pathlib
import sys
import time

import jupedsim


def simulation_of(scene):
    """Puts all bodies of the scene into JuPedSim, with its default parameters of the collision-free speed model."""
    writer = None
    if scene["file"]:
        writer = jupedsim.SqliteTrajectoryWriter(output_file=pathlib.Path(scene["file"]), every_nth_frame=1)
    simulation = jupedsim.Simulation(
        model=jupedsim.CollisionFreeSpeedModel(),
        geometry=scene["outline"],
        dt=scene["dt"],
        trajectory_writer=writer,
    )
    exit_area = scene["exit"]
    if exit_area:
        (x0, y0), (x1, y1) = exit_area
        stage = simulation.add_exit_stage([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    else:
        stage = simulation.add_direct_steering_stage()
    journey = simulation.add_journey(jupedsim.JourneyDescription([stage]))
    for at, goal in scene["bodies"]:
        agent = simulation.add_agent(
            jupedsim.CollisionFreeSpeedModelAgentParameters(
                position=at,
                desired_speed=scene["speed"],
                radius=scene["radius"],
                journey_id=journey,
                stage_id=stage,
            )
        )
        if not exit_area:
            simulation.agent(agent).target = goal
    return simulation


def main():
    """Answers the lines of the input until it ends."""
    simulation = simulation_of(json.loads(sys.stdin.readline()))
    print("ready", jupedsim.__version__, flush=True)
    for line in sys.stdin:
        start = time.process_time()
        simulation.iterate(int(line))
        print(time.process_time() - start, simulation.agent_count(), flush=True)


main()
