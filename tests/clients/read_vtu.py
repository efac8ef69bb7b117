"""What VTK makes of a .pvd and its .vtu files: python3 read_vtu.py FILE.pvd ANSWER.json"""
import json
import os
import sys
import xml.etree.ElementTree as tree

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

file, answer = sys.argv[1:]
frames = []
for item in tree.parse(file).getroot().iter("DataSet"):
    complaints = []
    reader = vtkXMLUnstructuredGridReader()
    reader.AddObserver(vtkCommand.ErrorEvent, lambda *_: complaints.append("error"))
    reader.SetFileName(os.path.join(os.path.dirname(file), item.get("file")))
    reader.Update()
    grid = reader.GetOutput()
    data = grid.GetCellData()
    arrays = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    names = grid.GetFieldData().GetAbstractArray("materials")
    frames.append({
        "time": float(item.get("timestep")),
        "field_time": grid.GetFieldData().GetArray("TimeValue").GetValue(0),
        "complaints": complaints,
        "points": grid.GetNumberOfPoints(),
        "cells": grid.GetNumberOfCells(),
        "kinds": sorted({grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}),
        "bounds": grid.GetBounds(),
        "pieces": sorted({int(x) for x in arrays["piece"]}),
        "inside": int(arrays["inside"].sum()),
        "fastest": float(arrays["speed"].max()),
        "arrays": sorted(arrays),
        "materials": [names.GetValue(i) for i in range(names.GetNumberOfValues())],
    })
with open(answer, "w") as out:
    json.dump(frames, out)
